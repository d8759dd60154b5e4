import type { BrandingAsset, ImageFault } from '@godwit/contract'
import { BRANDING_RULES, IMAGE_TYPES } from '@godwit/contract/foundation/branding'

/** @returns an address that holds the file itself */
export function readImage(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(reader.error ?? new Error('the file cannot be read'))
    reader.readAsDataURL(file)
  })
}

/** @returns the base64 within an address of {@link readImage}; undefined for any other address */
export function contentOf(address: string): string | undefined {
  return address.startsWith('data:') ? address.slice(address.indexOf(',') + 1) : undefined
}

/** What is wrong with an image, as far as a browser can tell; the server looks again. */
export async function imageFault(asset: BrandingAsset, file: File, address: string): Promise<ImageFault | undefined> {
  const { maxBytes, maxPixels, types } = BRANDING_RULES[asset]
  const [maxWidth, maxHeight] = maxPixels
  // Windows names icons in its own way.
  const kinds: readonly string[] = [...types.map((type) => IMAGE_TYPES[type]), 'image/vnd.microsoft.icon']
  if (!kinds.includes(file.type)) return 'type'
  if (file.size > maxBytes) return 'size'
  const size = await sizeOf(address)
  if (size === undefined) return 'broken'
  return size.width > maxWidth || size.height > maxHeight ? 'dimensions' : undefined
}

function sizeOf(address: string): Promise<{ readonly width: number; readonly height: number } | undefined> {
  return new Promise((resolve) => {
    const image = new Image()
    image.onload = () => resolve({ width: image.naturalWidth, height: image.naturalHeight })
    image.onerror = () => resolve(undefined)
    image.src = address
  })
}
