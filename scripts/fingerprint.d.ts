export function fingerprint(paths: readonly string[]): string;
export function filesBelow(path: string): string[];
