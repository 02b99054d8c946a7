/** Types of the part of jsonld that has none: the cache of the contexts of one operation. Floor 2. */
declare module 'jsonld/lib/ContextResolver.js' {
  class ContextResolver {
    constructor(options: {sharedCache: Map<string, unknown>})
    resolve(request: object): Promise<readonly unknown[]>
  }
  export = ContextResolver
}
