import type { Operation } from '@earshot/contract';

/** The methods of every operation whose path fits, query and all left aside. */
export function matchRoutes(operations: readonly Operation[], url: string): string[] {
  const [path = ''] = url.split('?');
  const methods = operations
    .filter((operation) => patternOf(operation.path).test(path))
    .map(({ method }) => method);
  return [...new Set(methods)];
}

function patternOf(path: string): RegExp {
  const escaped = path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${escaped}$`);
}
