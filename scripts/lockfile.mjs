/**
 * Whether an entry of package-lock.json is third-party code that runs in production, and is not only needed to build and test.
 * `devOptional` marks tools that a production package names as optional: type declarations only, which a test checks.
 */
export function isProduction(path, { link, dev, devOptional }) {
  return path.includes('node_modules/') && !link && !dev && !devOptional;
}

/** The real name of an installed package; its path has the alias, if there is one. */
export function packageNameOf(path, { name }) {
  return name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
