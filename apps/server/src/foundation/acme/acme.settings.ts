import { isIP } from 'node:net'
import { CERTIFICATE_NAMES_MAX, CERTIFICATE_PEM_MAX, isCertificateName } from '@godwit/contract'
import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { defineSettings, setting, type SettingValues } from '../../kernel/setting.ts'
import { email, line, onOff } from '../settings/index.ts'

const rules = { tab: 'certificate' } as const

const DIRECTORY = 'https://acme-v02.api.letsencrypt.org/directory'
const NAMES_MAX_LENGTH = 4000

/** Anything of the size of a certificate, on several lines. */
const pemText = z
  .preprocess(
    (value) => (typeof value === 'string' ? value.replaceAll('\r\n', '\n').trim() : value),
    z
      .string()
      .max(CERTIFICATE_PEM_MAX, `must have at most ${CERTIFICATE_PEM_MAX} characters`)
      .refine((text) => text === '' || text.startsWith('-----BEGIN CERTIFICATE-----'), 'must be a certificate (PEM)')
      .meta({ format: 'lines' }),
  )
  .default('')

export const ACME_SETTINGS = defineSettings(
  {
    'acme.switch': setting(onOff(0), rules),
    'acme.directory': setting(
      line(500)
        .refine(isDirectory, 'must be an address that begins with https://')
        .default(DIRECTORY)
        .meta({ format: 'url' }),
      rules,
    ),
    'acme.domains': setting(
      line(NAMES_MAX_LENGTH)
        .refine((text) => wantedNames(text).every(isOrderable), 'must be host names, separated by commas, without *')
        .refine((text) => wantedNames(text).length <= CERTIFICATE_NAMES_MAX, `at most ${CERTIFICATE_NAMES_MAX} names`),
      rules,
    ),
    'acme.contact': setting(email(254), rules),
    /** Of the authority, by whoever runs the site. */
    'acme.terms': setting(onOff(0), rules),
    /** Who signed the certificate of the directory; '' for authorities that the system knows. */
    'acme.authority': setting(pemText, rules),
  },
  (values) => {
    if (values['acme.switch'] === 0) return
    if (wantedNames(values['acme.domains']).length === 0)
      throw new AppError('ACME_NAMES_MISSING', { field: 'acme.domains' })
    if (values['acme.terms'] === 0) throw new AppError('ACME_TERMS_MISSING', { field: 'acme.terms' })
  },
)
export type AcmeSettings = SettingValues<typeof ACME_SETTINGS>

/** The names of a list, in lower case, each once. */
export function wantedNames(text: string): string[] {
  const names = text.split(/[\s,;，；]+/).map((name) => name.toLowerCase())
  return [...new Set(names.filter((name) => name !== ''))]
}

/** An authority proves neither addresses nor whole domains by http-01. */
function isOrderable(name: string): boolean {
  return isCertificateName(name) && isIP(name) === 0 && !name.startsWith('*.')
}

function isDirectory(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'https:'
}
