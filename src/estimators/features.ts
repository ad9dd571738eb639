// How many features a matrix may have: fewer than were fitted on is fine, the rest are zero; more is not, but with a model that does not know how many there
// were: a file of LIBSVM's tells only of features that support vectors have.

import { HingeError } from "../base/errors.js";

export function checkFeatures(got: number, known: number, who: "model" | "scaler"): void {
  if (got > known) throw HingeError.input(`x has ${got} features, the ${who} knows ${known}; remove what it was not fitted on`);
}
