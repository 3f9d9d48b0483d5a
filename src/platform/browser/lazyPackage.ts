/** A package was needed that is not loaded: what met this error begins again after `load`. */
export class PackageMissing extends Error {
  override name = "PackageMissing";
  readonly load: () => Promise<void>;

  constructor(load: () => Promise<void>) {
    super("a package is not loaded yet");
    this.load = load;
  }
}

/** A package that is loaded with its first use. @returns the package @throws PackageMissing at first */
export function lazyPackage<Package>(load: () => Promise<Package>): () => Package {
  let loaded: Package | null = null;
  return () => {
    if (loaded !== null) return loaded;
    throw new PackageMissing(async () => {
      loaded = await load();
    });
  };
}
