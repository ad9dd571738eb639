// The worker's entry. Built to text that the runtime starts workers from.

import { serve } from "./runtime/serve.js";
import { tasks } from "./tasks.js";

serve(tasks);
