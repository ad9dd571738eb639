// Counts in sentences. No locale: the same text everywhere.

/** 1234567 as "1,234,567". */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** "1 row", "1,234 rows", "3 classes". `nouns`: where the plural is another. */
export function counted(count: number, noun: string, nouns = `${noun}${/(s|x|ch)$/.test(noun) ? "es" : "s"}`): string {
  return `${grouped(count)} ${count === 1 ? noun : nouns}`;
}
