import { onOff, whole } from '../../foundation/settings/index.ts'
import { defineSettings, setting } from '../../kernel/setting.ts'

export const FULL_TEXT_SETTINGS = defineSettings({
  /** Whether documents are found by what is in them. */
  'search.contents': setting(onOff(0)),
  /** MiB of the largest file that is read for it. */
  'search.contentsMiB': setting(whole(1, 100).default(20)),
})
