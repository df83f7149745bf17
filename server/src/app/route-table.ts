import type { Operation } from '@earshot/contract';

/**
 * The methods of the operations whose path matches a URL, without its query. A path without parameters takes precedence:
 * `/v1/analyses/bulk` does not take the methods of `/v1/analyses/{job_id}`.
 */
export function matchRoutes(operations: readonly Operation[], url: string): string[] {
  const [path = ''] = url.split('?');
  const exact = operations.filter((operation) => operation.path === path);
  const matching =
    exact.length > 0 ? exact : operations.filter((operation) => patternOf(operation.path).test(path));
  return [...new Set(matching.map(({ method }) => method))];
}

function patternOf(path: string): RegExp {
  const escaped = path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${escaped}$`);
}
