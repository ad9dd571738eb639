// Numbers that follow each other, as orders and lists of rows begin.

/** from, from + 1, from + 2, ... */
export function counting(words: Uint32Array, from = 0): Uint32Array {
  for (let k = 0; k < words.length; k++) words[k] = from + k;
  return words;
}
