/** The part of the package that is used here; it types only what lies below it. */
declare module 'libheif-js/wasm-bundle.js' {
  interface HeifTarget {
    readonly data: Uint8ClampedArray<ArrayBuffer>
    readonly width: number
    readonly height: number
  }
  interface HeifImage {
    is_primary(): boolean
    get_width(): number
    get_height(): number
    /** Calls back with `null` when the picture cannot be decoded. */
    display(target: HeifTarget, done: (target: HeifTarget | null) => void): void
    free(): void
  }
  const libheif: {
    readonly HeifDecoder: new () => {
      /** Empty when the file cannot be read. */
      decode(file: Uint8Array): HeifImage[]
    }
  }
  // The package is CommonJS.
  export default libheif
}
