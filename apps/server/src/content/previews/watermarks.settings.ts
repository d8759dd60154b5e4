import { line, oneOf, onOff, whole } from '../../foundation/settings/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { defineSettings, setting, type SettingValues } from '../../kernel/setting.ts'
import { unknownPlaceholder } from './watermarks.policy.ts'

const TEXT_MAX = 200
const RULES = { feature: 'watermark' } as const

/** What previews and thumbnails carry, so that a photo of a screen says whose screen it was. */
export const WATERMARK_SETTINGS = defineSettings(
  {
    'watermark.on': setting(onOff(0), RULES),
    'watermark.text': setting(
      line(TEXT_MAX)
        .refine(
          (text) => unknownPlaceholder(text) === undefined,
          'may name {account}, {name}, {time} and {address}, and no others',
        )
        .default('{account} {time}'),
      RULES,
    ),
    /** The image of the branding, above the text. */
    'watermark.image': setting(onOff(0), RULES),
    'watermark.position': setting(oneOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 0), RULES),
    'watermark.opacity': setting(whole(5, 100).default(35), RULES),
  },
  (values) => {
    const isNothing = values['watermark.text'].trim() === '' && values['watermark.image'] === 0
    if (values['watermark.on'] === 1 && isNothing)
      throw new AppError('PARAMETER_INVALID', { field: 'watermark.text', rule: 'must say something, or use the image' })
  },
)
export type WatermarkSettings = SettingValues<typeof WATERMARK_SETTINGS>
