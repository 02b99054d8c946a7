/** Types for the context resolver of jsonld, which has none: the cache of the contexts of one operation. */
declare module 'jsonld/lib/ContextResolver.js' {
  class ContextResolver {
    constructor(options: {sharedCache: Map<string, unknown>})
    resolve(request: object): Promise<readonly unknown[]>
  }
  export = ContextResolver
}
