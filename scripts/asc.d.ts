export function compileCore(entries: readonly string[], outFile: string, options: { readonly shared: boolean }): Promise<void>;
