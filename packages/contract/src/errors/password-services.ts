/** Errors of what checks passwords elsewhere, and of its tests; a part of the catalogue. */
export const PASSWORD_SERVICE_ERRORS = {
  EXTERNAL_AUTH_UNREACHABLE: { wire: 5422, retry: 'later' },
  LDAP_CERTIFICATE_INVALID: { wire: 5423, retry: 'change' },
  LDAP_SEARCH_FAILED: { wire: 5424, retry: 'change' },
  LDAP_ANSWER_INVALID: { wire: 5425, retry: 'later' },
  AUTH_SERVICE_CERTIFICATE_INVALID: { wire: 6120, retry: 'change' },
  AUTH_SERVICE_ANSWER_INVALID: { wire: 6121, retry: 'later' },
  AUTH_SERVICE_OTHER_ACCOUNT: { wire: 6122, retry: 'never' },
  AUTH_SERVICE_ACCEPTS_ANYBODY: { wire: 6123, retry: 'change' },
  AUTH_SERVICE_REFUSED: { wire: 6124, retry: 'change' },
  AUTH_SERVICE_CREDENTIALS_WRONG: { wire: 6125, retry: 'change' },
  MAIL_LOGIN_UNREACHABLE: { wire: 6126, retry: 'later' },
  MAIL_LOGIN_UNSUPPORTED: { wire: 6127, retry: 'change' },
  SYSTEM_ACCOUNTS_UNREACHABLE: { wire: 6128, retry: 'later' },
  PAM_SERVICE_MISSING: { wire: 6129, retry: 'change' },
} as const
