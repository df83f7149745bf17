/** Loads the library as a new document, so that no data of the previous user or workspace stays in memory. */
export function reloadAtHome(): void {
  window.location.assign('/');
}
