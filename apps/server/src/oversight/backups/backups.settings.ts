import { line, onOff, whole } from '../../foundation/settings/index.ts'
import { defineSettings, setting } from '../../kernel/setting.ts'

const rules = { tab: 'backup' } as const

/** Of any system. */
const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/])/

export const BACKUP_SETTINGS = defineSettings({
  'backup.switch': setting(onOff(0), rules),
  /** Of the server's own clock. */
  'backup.hour': setting(whole(0, 23).default(2), rules),
  'backup.keep': setting(whole(1, 365).default(7), rules),
  /** After each scheduled one. */
  'backup.drill': setting(onOff(1), rules),
  /** '': below the data folder. */
  'backup.folder': setting(
    line(1024).refine((text) => text === '' || ABSOLUTE.test(text), 'must be an absolute path of the server'),
    rules,
  ),
})
