// npm run docs.

import { writePages } from "./reference.ts";

writePages();
