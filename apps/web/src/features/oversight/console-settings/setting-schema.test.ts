import type { ConsoleSetting } from '@godwit/contract'
import { LOCALES } from '@godwit/i18n/locales'
import { loadPortalTexts, loadTextBundle } from '@godwit/i18n/portal'
import { describe, expect, it } from 'vitest'
import { createTexts } from '../../../lib/texts.tsx'
import { settingSchema } from './setting-schema.tsx'

const SWITCH: Pick<ConsoleSetting, 'kind' | 'choices' | 'maxLength' | 'format'> = {
  ...{ kind: 'switch', choices: [], maxLength: null, format: null },
}

describe('the field', () => {
  it.each(LOCALES)('of a setting without effect is read-only and says why, in %s', async (locale) => {
    const parts = await Promise.all([loadPortalTexts(locale), loadTextBundle(locale, 'console')])
    const texts = createTexts(locale, Object.assign({}, ...parts), undefined, () => {})
    const settings = ['cHashVerifySwitch', 'certSelect', 'cTransEncryptSwitch'].map(
      (key) => ({ ...SWITCH, key, label: { 'en-US': key, 'zh-CN': key } }) as ConsoleSetting,
    )
    const { cHashVerifySwitch, certSelect, cTransEncryptSwitch } = settingSchema(settings, texts)
    expect(cHashVerifySwitch).toMatchObject({ isReadOnly: true, hint: texts('settings.fixed.hash') })
    expect(certSelect).toMatchObject({ isReadOnly: true, hint: texts('settings.fixed.certificate') })
    expect(texts('settings.fixed.hash')).not.toBe('settings.fixed.hash')
    expect(cTransEncryptSwitch).toMatchObject({ isReadOnly: false, hint: undefined })
  })
})
