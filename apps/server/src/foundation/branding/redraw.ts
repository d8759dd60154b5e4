import type { BrandingAsset, ImageFault, ImageType } from '@godwit/contract'
import type { Log } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { PictureFault } from '../decoding/index.ts'
import { createRedrawer, type Redrawer } from '../pictures/index.ts'
import { requireImage } from './images.policy.ts'

export interface RedrawnImage {
  readonly type: ImageType
  readonly bytes: Uint8Array
}

/**
 * Makes an image of the site anew from its pixels, so that nothing else of the file reaches a browser. An icon becomes a PNG.
 * @throws AppError BRANDING_IMAGE_INVALID naming the place and the rule it breaks
 */
export type Redraw = (asset: BrandingAsset, file: Uint8Array) => Promise<RedrawnImage>

export function redrawBy(redrawer: Redrawer): Redraw {
  return async (asset, file) => {
    // Before anything decodes it: a file that says it has a billion pixels is not asked for them.
    const type = requireImage(asset, file).type === 'jpeg' ? 'jpeg' : 'png'
    const bytes = await redrawer.redraw(file, type).catch((cause: unknown) => {
      if (!(cause instanceof PictureFault)) throw cause
      const reason: ImageFault = 'broken'
      throw new AppError('BRANDING_IMAGE_INVALID', { field: asset, reason }, { cause })
    })
    // What an icon or a camera said of itself may not be what is in it.
    requireImage(asset, bytes)
    return { type, bytes }
  }
}

/** For a command, which redraws once. */
export async function withRedraw<T>(log: Log, work: (redraw: Redraw) => Promise<T>): Promise<T> {
  const redrawer = createRedrawer(log)
  try {
    return await work(redrawBy(redrawer))
  } finally {
    redrawer.stop()
  }
}
