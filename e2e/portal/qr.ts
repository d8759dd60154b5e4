import type { Locator } from '@playwright/test'
import { decodeQR } from 'qr/decode.js'

/**
 * What a phone reads when it is held in front of the screen.
 * @throws Error where there is no code to read
 */
export async function scan(code: Locator): Promise<string> {
  const picture = (await code.screenshot()).toString('base64')
  // A page of its own: the portal's policy lets no script build pictures.
  const blank = await code.page().context().newPage()
  const { width, height, pixels } = await blank.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (byte) => byte.codePointAt(0) ?? 0)
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    const context = canvas.getContext('2d')
    context?.drawImage(bitmap, 0, 0)
    const data = context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? []
    return { width: bitmap.width, height: bitmap.height, pixels: [...data] }
  }, picture)
  await blank.close()
  return decodeQR({ width, height, data: Uint8ClampedArray.from(pixels) })
}
