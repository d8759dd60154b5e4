import fs from 'node:fs'
import { ERRORS, type ErrorName } from '@godwit/contract'
import { describe, expect, it } from 'vitest'
import { errorText } from './error-texts.ts'

/** The messages of the console (document 3, section 8), group by group, and the errors that say them. */
const MESSAGES: Readonly<Record<string, Readonly<Record<string, readonly ErrorName[]>>>> = {
  codes: {
    'parameter error': ['PARAMETER_INVALID'],
    'account invalid': ['ACCOUNT_INVALID'],
    'account exists': ['ACCOUNT_EXISTS'],
    'permission denied': ['PERMISSION_DENIED'],
    'email exists': ['EMAIL_EXISTS'],
    'package size must be 600-1442': ['PACKAGE_SIZE_INVALID'],
    'account locked': ['ACCOUNT_LOCKED'],
    'LDAP account or password error': ['LDAP_CREDENTIALS_WRONG'],
    'user group still has users': ['GROUP_HAS_USERS'],
    'group name duplicate': ['GROUP_NAME_DUPLICATE'],
    'need to update default password': ['PASSWORD_RESET_REQUIRED'],
    'IP not in whitelist': ['ADDRESS_NOT_ALLOWED'],
    'licence expired or invalid': ['LICENCE_EXPIRED', 'LICENCE_INVALID'],
  },
  storage: {
    'invalid name': ['STORAGE_NAME_INVALID'],
    'duplicate name': ['STORAGE_NAME_DUPLICATE'],
    'id missing': ['STORAGE_ID_MISSING'],
    'default cannot be deleted': ['STORAGE_DEFAULT_UNDELETABLE'],
    'connection failed': ['STORAGE_CONNECTION_FAILED'],
    'space needs storage first': ['SPACE_NEEDS_STORAGE'],
  },
  authentication: {
    'auth failed': ['AUTH_FAILED'],
    'account missing': ['ACCOUNT_NOT_FOUND'],
    'not activated': ['ACCOUNT_NOT_ACTIVATED'],
    'wrong system password': ['SYSTEM_PASSWORD_WRONG'],
    'wrong verification code': ['EMAIL_CODE_WRONG'],
    'expired verification code': ['EMAIL_CODE_EXPIRED'],
    'e-mail login verification required': ['EMAIL_CODE_REQUIRED'],
    'change-password token error': ['RESET_TOKEN_INVALID'],
    'weak password': ['PASSWORD_WEAK'],
  },
  certificate: {
    'key error': ['CERTIFICATE_KEY_INVALID'],
    'pem error': ['CERTIFICATE_PEM_INVALID'],
    'under 2048 bits': ['CERTIFICATE_KEY_TOO_SHORT'],
    expired: ['CERTIFICATE_EXPIRED'],
    'not RSA': ['CERTIFICATE_NOT_RSA'],
    mismatch: ['CERTIFICATE_MISMATCH'],
  },
  licence: {
    'unsupported code': ['LICENCE_CODE_UNSUPPORTED'],
    'incorrect format': ['LICENCE_CODE_FORMAT'],
  },
  'not found or duplicate': {
    space: ['SPACE_NOT_FOUND', 'SPACE_NAME_DUPLICATE'],
    role: ['ROLE_NOT_FOUND', 'ROLE_NAME_DUPLICATE'],
    admin: ['ADMIN_NOT_FOUND', 'ADMIN_EXISTS'],
    department: ['DEPARTMENT_NOT_FOUND', 'DEPARTMENT_NAME_DUPLICATE'],
    event: ['EVENT_NOT_FOUND', 'EVENT_NAME_DUPLICATE'],
    auth: ['AUTH_PROVIDER_NOT_FOUND', 'AUTH_PROVIDER_NAME_DUPLICATE'],
    'share URL': ['LINK_NOT_FOUND'],
  },
  limits: {
    'share over file-count limit': ['SHARE_TOO_MANY_FILES'],
    'name length': ['NAME_TOO_LONG'],
    'remark length': ['REMARK_TOO_LONG'],
    'list length': ['LIST_TOO_LONG'],
    'disk full': ['DISK_FULL', 'STORAGE_FULL'],
    'traffic insufficient': ['TRAFFIC_INSUFFICIENT'],
    'at least one administrator': ['LAST_ADMIN'],
    'invalid port': ['PORT_INVALID'],
    'invalid bandwidth': ['BANDWIDTH_INVALID'],
    'site access denied': ['SITE_ACCESS_DENIED'],
    'database errors': ['DATABASE_UNAVAILABLE', 'DATABASE_UNREACHABLE', 'DATABASE_PASSWORD_WRONG', 'DATABASE_MISSING'],
    'MySQL errors': ['MYSQL_CONNECTION_FAILED', 'MYSQL_UNSUPPORTED'],
    'invalid e-mail account': ['MAIL_ACCOUNT_INVALID'],
    'invalid SMTP': ['SMTP_FAILED'],
    'system mailbox not configured': ['SYSTEM_MAIL_NOT_CONFIGURED'],
  },
  'directory and links': {
    'LDAP connect error': ['LDAP_UNREACHABLE', 'LDAP_CERTIFICATE_INVALID'],
    'LDAP auth error': ['LDAP_BIND_FAILED'],
  },
  'forgot password': {
    'system e-mail not configured': ['SYSTEM_MAIL_NOT_CONFIGURED'],
    'e-mail missing': ['EMAIL_MISSING'],
    'wrong or expired code': ['EMAIL_CODE_WRONG', 'EMAIL_CODE_EXPIRED'],
  },
  'clients and editions': {
    'only 3 client connections': ['CLIENT_CONNECTION_LIMIT'],
    'client version not supporting non-default spaces': ['CLIENT_SPACE_UNSUPPORTED'],
    'a feature of another edition': ['EDITION_FEATURE_MISSING'],
    'the users of the edition': ['EDITION_USER_LIMIT'],
  },
}

const NAMED = Object.entries(MESSAGES).flatMap(([group, messages]) =>
  Object.entries(messages).flatMap(([message, names]) => names.map((name) => [group, message, name] as const)),
)
const UNUSED = JSON.parse(fs.readFileSync(new URL('../../contract/unused.json', import.meta.url), 'utf8')) as {
  readonly errors: readonly string[]
}

describe('messages of the console', () => {
  it.each(NAMED)('%s: %s is %s, which the product answers with, in both languages', (_group, _message, name) => {
    expect(Object.keys(ERRORS)).toContain(name)
    expect(UNUSED.errors).not.toContain(name)
    const [english, chinese] = [errorText('en-US', name), errorText('zh-CN', name)]
    expect(english).toMatch(/^[A-Z“]/)
    expect(chinese).toMatch(/\p{Script=Han}/u)
  })

  it('keep the numbers that existing clients know', () => {
    const numbers = Object.keys(MESSAGES['codes'] ?? {}).flatMap((message) => MESSAGES['codes']?.[message] ?? [])
    expect(numbers.map((name) => ERRORS[name].wire)).toEqual([
      ...[400, 1002, 1004, 1008, 1014, 1036, 1050, 1057, 1059, 1060, 1074, 1091, 1092, 1093],
    ])
  })
})
