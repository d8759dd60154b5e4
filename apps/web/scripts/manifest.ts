/** What the build writes about its chunks, by the module each begins with. */
export type Manifest = Readonly<Record<string, Chunk>>

export interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

/** The chunks of these modules and all that they import. @throws when the build knows no such module */
export function reached(manifest: Manifest, roots: readonly string[]): readonly Chunk[] {
  const seen = new Map<string, Chunk>()
  const walk = (key: string): void => {
    const chunk = manifest[key]
    if (chunk === undefined) throw new Error(`the manifest has no ${key}`)
    if (seen.has(key)) return
    seen.set(key, chunk)
    chunk.imports?.forEach(walk)
  }
  roots.forEach(walk)
  return [...seen.values()]
}

/** The module of a bundle of texts in one language. */
export function textsModule(locale: string, bundle: string): string {
  return `../../packages/i18n/src/${locale.toLowerCase()}/${bundle}.ts`
}
