// node bench/text-ours.js <train> <test>: texts to labels as a user of hinge writes it, from folders of files to the accuracy on the test part.

import { readdirSync, readFileSync } from "node:fs";
import { LinearSVC, pipeline, stopPool, TfidfVectorizer } from "../dist/hinge.node.js";

const [train, test] = process.argv.slice(2).map(readFolder);
const model = await pipeline(TfidfVectorizer, LinearSVC).fit(train.texts, train.labels);
const accuracy = await model.score(test.texts, test.labels);
stopPool();
process.stdout.write(`${accuracy}\n`);

/** A folder a class, a file a text. */
function readFolder(root) {
  const files = readdirSync(root).flatMap((label) =>
    readdirSync(`${root}/${label}`).map((name) => ({ label, path: `${root}/${label}/${name}` })),
  );
  return { texts: files.map(({ path }) => readFileSync(path, "latin1")), labels: files.map(({ label }) => label) };
}
