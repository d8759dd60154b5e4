import type { Clock } from '@godwit/base'
import type { Branding } from '../../foundation/branding/index.ts'
import type { Mark } from '../../foundation/pictures/index.ts'
import type { Settings } from '../../foundation/settings/index.ts'
import { usersStore } from '../../identity/users/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AccountPrincipal } from '../../kernel/principal.ts'
import { markDay, markText, type Viewer } from './watermarks.policy.ts'
import { WATERMARK_SETTINGS, type WatermarkSettings } from './watermarks.settings.ts'

export interface Watermark {
  /** Of this mark: another person, day, text, image or place has another. */
  readonly key: string
  readonly mark: Mark
}

/** The mark that previews carry while the site asks for one. */
export interface Watermarks {
  isOn(): Promise<boolean>
  /** @param viewer asked only when there is a mark @returns undefined while the site asks for none */
  for(viewer: () => Promise<Viewer>): Promise<Watermark | undefined>
  /** Before bytes of a file leave as they are. @throws AppError PREVIEW_UNSUPPORTED while the site asks for a mark */
  requireNone(): Promise<void>
}

export interface WatermarksDeps {
  readonly settings: Settings
  readonly branding: Branding
  readonly clock: Clock
}

/** Stands in for a text when the image that should be shown was taken away: something is always burnt in. */
const FALLBACK_TEXT = '{account} {time}'

export function createWatermarks({ settings, branding, clock }: WatermarksDeps): Watermarks {
  const read = () => settings.of(WATERMARK_SETTINGS)
  const isOn = async (): Promise<boolean> => (await read())['watermark.on'] === 1

  async function watermarkOf(values: WatermarkSettings, viewer: Viewer): Promise<Watermark> {
    const image = values['watermark.image'] === 1 ? await branding.image('watermark') : undefined
    const isEmpty = values['watermark.text'].trim() === '' && image === undefined
    const template = isEmpty ? FALLBACK_TEXT : values['watermark.text']
    const { 'watermark.position': position, 'watermark.opacity': opacity } = values
    const now = clock.now()
    return {
      key: JSON.stringify([markDay(template, viewer, now), image?.hash ?? '', position, opacity]),
      mark: {
        text: markText(template, viewer, now).trim(),
        ...(image === undefined ? {} : { image: image.bytes.toString('base64') }),
        ...{ position, opacity },
      },
    }
  }

  return {
    isOn,
    async for(viewer) {
      const values = await read()
      return values['watermark.on'] === 1 ? watermarkOf(values, await viewer()) : undefined
    },
    async requireNone() {
      if (await isOn()) throw new AppError('PREVIEW_UNSUPPORTED')
    },
  }
}

/** An account as the mark names it. @param address where the request came from */
export async function accountViewer(
  { db }: { readonly db: Db },
  { id, account }: AccountPrincipal,
  address: string,
): Promise<Viewer> {
  const name = (await usersStore.byId(db, id))?.name ?? ''
  return { account: account.account, name: name === '' ? account.account : name, address }
}
