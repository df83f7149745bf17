import type { Operation } from '@earshot/contract';

/**
 * The methods of every operation whose path fits, query and all left aside. A path that is spelt out is a resource of its own:
 * `/v1/analyses/bulk` does not take what `/v1/analyses/{job_id}` takes.
 */
export function matchRoutes(operations: readonly Operation[], url: string): string[] {
  const [path = ''] = url.split('?');
  const spelt = operations.filter((operation) => operation.path === path);
  const fitting =
    spelt.length > 0 ? spelt : operations.filter((operation) => patternOf(operation.path).test(path));
  return [...new Set(fitting.map(({ method }) => method))];
}

function patternOf(path: string): RegExp {
  const escaped = path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${escaped}$`);
}
