// A bump allocator. Most instances of the module serve one analysis, so most memory is kept until the instance is
// garbage-collected; scratch memory is freed by mark and release, like a stack.

let top: usize = 0;

/** `bytes` of zeroed memory, aligned to 16 bytes for v128 loads. */
export function allocate(bytes: i32): usize {
  if (top == 0) top = (__heap_base + 15) & ~15;
  const start = top;
  top = (start + <usize>bytes + 15) & ~15;
  const pagesNeeded = <i32>((top + 0xffff) >>> 16);
  const pagesHeld = memory.size();
  if (pagesNeeded > pagesHeld && memory.grow(pagesNeeded - pagesHeld) < 0) unreachable();
  memory.fill(start, 0, top - start);
  return start;
}

export function markMemory(): usize {
  if (top == 0) top = (__heap_base + 15) & ~15;
  return top;
}

/** Frees everything allocated since the mark. */
export function releaseMemory(mark: usize): void {
  top = mark;
}
