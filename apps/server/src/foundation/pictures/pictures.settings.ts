import { defineSettings, setting } from '../../kernel/setting.ts'
import { whole } from '../settings/index.ts'

export const PICTURE_SETTINGS = defineSettings({
  /** Room for thumbnails on the disk of the server; 0: none is kept. */
  'pictures.cacheMiB': setting(whole(0, 1_048_576).default(1_024)),
})
