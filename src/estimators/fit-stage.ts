// A transformer fitted to rows, and what it makes of them: in one go where its class knows how.

interface StageClass {
  fit(rows: never, options?: never): Promise<{ transform(rows: never, options?: never): Promise<unknown> }>;
  readonly fitTransform?: (rows: never, options?: never) => Promise<{ readonly fitted: unknown; readonly rows: unknown }>;
}

export async function fitStage<Fitted>(
  kind: StageClass,
  rows: unknown,
  options: object,
  /** For those that work on several. */
  threads?: number | undefined,
): Promise<{ fitted: Fitted; rows: unknown }> {
  if (kind.fitTransform !== undefined)
    return (await kind.fitTransform(rows as never, { threads, ...options } as never)) as { fitted: Fitted; rows: unknown };
  const fitted = await kind.fit(rows as never, options as never);
  return { fitted: fitted as Fitted, rows: await fitted.transform(rows as never, { threads } as never) };
}
