import { ERRORS } from '@godwit/contract/errors/catalogue'
import { loadErrorTexts, loadPortalTexts, loadTextBundle } from '@godwit/i18n/portal'
import { LOCALES } from '@godwit/i18n/locales'
import { FILE_FAULTS, TRANSFER_ERRORS } from '@godwit/transfer/endpoints'
import { describe, expect, it } from 'vitest'
import { createTexts } from './texts.tsx'
import { failureText } from './transfer-failure.ts'

/** Of node: what a connection or a folder of this computer fails with. */
const SYSTEM = [
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'EACCES'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL', 'EAI_AGAIN', 'ENOTFOUND'],
  ...['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_SOCKET'],
]
const SERVER = Object.keys(ERRORS)
const CODES = new Set([...FILE_FAULTS, ...Object.keys(TRANSFER_ERRORS), ...SERVER, ...SYSTEM])
const DETAILED = ['PATH_REFUSED clash', 'PATH_REFUSED too-long', 'later SERVER_BUSY', 'never TICKET_INVALID']

describe.each(LOCALES)('why a transfer failed, in %s', async (locale) => {
  const parts = await Promise.all([loadPortalTexts(locale), loadTextBundle(locale, 'transfers')])
  const texts = createTexts(locale, Object.assign({}, ...parts), await loadErrorTexts(locale), () => {})

  it.each([...CODES, ...DETAILED])('is said in words for %s', (code) => {
    const text = failureText(code, texts)
    expect(text.length).toBeGreaterThan(3)
    expect(text).not.toContain('transfers.fault')
    for (const word of code.split(' ')) expect(text.split(/[\s.,:]/)).not.toContain(word)
    expect(text).not.toContain(texts('transfers.fault.other', { reason: '' }).trim())
  })

  it('keeps what another version reports, behind words', () => {
    expect(failureText('SOLAR_FLARE', texts)).toBe(texts('transfers.fault.other', { reason: 'SOLAR_FLARE' }))
    expect(failureText('constructor', texts)).toBe(texts('transfers.fault.other', { reason: 'constructor' }))
  })
})
