import fs from 'node:fs/promises'
import path from 'node:path'
import { BRANDING_ASSETS } from '@godwit/contract'
import type { Log } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Branding } from './branding.service.ts'
import type { Redraw } from './redraw.ts'

/** Where earlier versions kept the images of the site, and archives of them bring them to. */
export const KEPT_IMAGES = 'branding'

export interface KeptFilesDeps {
  readonly data: string
  readonly branding: Branding
  readonly redraw: Redraw
  readonly log: Log
}

/**
 * Takes the images of an earlier version into the database, unless there is another one by now, and removes their files. One
 * that cannot be taken stays where it is, and the log says so.
 */
export async function adoptKeptImages({ data, branding, redraw, log }: KeptFilesDeps): Promise<void> {
  const folder = path.join(data, KEPT_IMAGES)
  for (const name of await namesIn(folder)) {
    const asset = BRANDING_ASSETS.find((known) => known === path.parse(name).name)
    if (asset === undefined) continue
    const file = path.join(folder, name)
    try {
      if ((await branding.image(asset)) === undefined)
        await branding.change({ [asset]: await fs.readFile(file) }, redraw)
      await fs.rm(file)
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      log.warn({ file, code: thrown.code, details: thrown.details }, 'an image of the site cannot be taken over')
    }
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await fs.readdir(folder)
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return []
    throw thrown
  }
}
