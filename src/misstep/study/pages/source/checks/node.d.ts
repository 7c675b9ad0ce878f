/** As much of node as the checks need, so that its globals don't mix with the browser's. */
declare module "node:test" {
  export function test(name: string, run: () => void | Promise<void>): void;
}

declare module "node:assert/strict" {
  interface Assert {
    equal(found: unknown, expected: unknown, message?: string): void;
    rejects(promise: Promise<unknown>, kind: abstract new (...given: never[]) => Error): Promise<void>;
    deepEqual(found: unknown, expected: unknown, message?: string): void;
    ok(found: unknown, message?: string): void;
  }
  const assert: Assert;
  export default assert;
}
