let loads = 0;

/** Loads a module again, and all that it imports by a relative path: what it keeps in itself is new. */
export async function loadFresh<Module>(url: string): Promise<Module> {
  loads += 1;
  return (await import(`${url}?fresh=${loads}`)) as Module;
}
