// What commander gets in the place of node:child_process, which takes Node five milliseconds to load: it would start programs that are commands of their own, and hinge has none.

export function spawn(command: string): never {
  throw new Error(`hinge has no command ${command} that is a program of its own`);
}
