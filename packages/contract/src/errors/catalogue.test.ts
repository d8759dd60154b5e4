import { describe, expect, it } from 'vitest'
import { ERRORS, errorByWire, errorSpec, type ErrorName } from './catalogue.ts'

const WIRES = Object.keys(ERRORS).map((name) => errorSpec(name as ErrorName).wire)

describe('codes of the specification', () => {
  it.each<[number, ErrorName]>([
    [400, 'PARAMETER_INVALID'],
    [1002, 'ACCOUNT_INVALID'],
    [1004, 'ACCOUNT_EXISTS'],
    [1005, 'PASSWORD_WRONG'],
    [1008, 'PERMISSION_DENIED'],
    [1009, 'TOKEN_INVALID'],
    [1014, 'EMAIL_EXISTS'],
    [1023, 'OLD_PASSWORD_WRONG'],
    [1036, 'PACKAGE_SIZE_INVALID'],
    [1037, 'LINK_EXPIRED'],
    [1041, 'LINK_EXPIRED'],
    [1050, 'ACCOUNT_LOCKED'],
    [1057, 'LDAP_CREDENTIALS_WRONG'],
    [1059, 'GROUP_HAS_USERS'],
    [1060, 'GROUP_NAME_DUPLICATE'],
    [1074, 'PASSWORD_RESET_REQUIRED'],
    [1091, 'ADDRESS_NOT_ALLOWED'],
    [1092, 'LICENCE_EXPIRED'],
    [1093, 'LICENCE_INVALID'],
    [4025, 'LINK_NOT_FOUND'],
    [4084, 'NO_SPACE'],
    [4132, 'EMAIL_CODE_REQUIRED'],
    [33, 'P2P_RECEIVING_OFF'],
    [35, 'P2P_DEVICE_UNAVAILABLE'],
  ])('%i is %s', (wire, name) => {
    expect(errorByWire(wire)).toBe(name)
  })

  it('4001 to 4041 are storages, parameters and certificates, without a gap', () => {
    const range = WIRES.filter((wire) => wire >= 4001 && wire <= 4041)
    expect(range.toSorted((left, right) => left - right)).toEqual(Array.from({ length: 41 }, (_, at) => 4001 + at))
    expect([4001, 4009, 4036, 4041].map(errorByWire)).toEqual([
      'STORAGE_NAME_INVALID',
      'STORAGE_FULL',
      'CERTIFICATE_KEY_INVALID',
      'CERTIFICATE_MISMATCH',
    ])
  })

  it('knows neither success nor a number nobody assigned', () => {
    expect([200, 0, -1, 1037.5, 65_535].map(errorByWire)).toEqual(Array(5).fill(undefined))
  })
})

describe('grouped messages of the specification', () => {
  const name = (...names: readonly ErrorName[]): readonly ErrorName[] => names

  it.each<[string, readonly ErrorName[]]>([
    ['storage', name('STORAGE_NAME_INVALID', 'STORAGE_NAME_DUPLICATE', 'STORAGE_ID_MISSING', 'SPACE_NEEDS_STORAGE')],
    ['storage use', name('STORAGE_DEFAULT_UNDELETABLE', 'STORAGE_CONNECTION_FAILED')],
    ['auth', name('AUTH_FAILED', 'ACCOUNT_NOT_FOUND', 'ADDRESS_LOCKED', 'ACCOUNT_NOT_ACTIVATED')],
    ['auth codes', name('SYSTEM_PASSWORD_WRONG', 'EMAIL_CODE_WRONG', 'EMAIL_CODE_EXPIRED', 'RESET_TOKEN_INVALID')],
    ['certificate', name('CERTIFICATE_PEM_INVALID', 'CERTIFICATE_KEY_TOO_SHORT', 'CERTIFICATE_EXPIRED')],
    ['certificate kind', name('CERTIFICATE_NOT_RSA', 'CERTIFICATE_MISMATCH', 'CERTIFICATE_KEY_INVALID')],
    ['licence', name('LICENCE_EXPIRED', 'LICENCE_INVALID', 'LICENCE_CODE_UNSUPPORTED', 'LICENCE_CODE_FORMAT')],
    ['not found', name('SPACE_NOT_FOUND', 'ROLE_NOT_FOUND', 'ADMIN_NOT_FOUND', 'DEPARTMENT_NOT_FOUND')],
    ['not found too', name('TASK_NOT_FOUND', 'EVENT_NOT_FOUND', 'POLICY_NOT_FOUND', 'DELIVERY_NOT_FOUND')],
    ['and these', name('REVIEW_NOT_FOUND', 'DELIVERY_AUTHORISATION_NOT_FOUND', 'DELIVERY_TARGET_NOT_FOUND')],
    ['duplicate', name('SPACE_NAME_DUPLICATE', 'ROLE_NAME_DUPLICATE', 'ADMIN_EXISTS', 'DEPARTMENT_NAME_DUPLICATE')],
    ['duplicate too', name('TASK_NAME_DUPLICATE', 'EVENT_NAME_DUPLICATE', 'POLICY_NAME_DUPLICATE', 'LINK_DUPLICATE')],
    ['limits', name('SHARE_TOO_MANY_FILES', 'NAME_TOO_LONG', 'REMARK_TOO_LONG', 'TRAFFIC_INSUFFICIENT', 'LAST_ADMIN')],
    ['values', name('PORT_INVALID', 'BANDWIDTH_INVALID', 'SITE_ACCESS_DENIED', 'RESTART_REQUIRED')],
    ['database', name('DATABASE_UNAVAILABLE', 'DATABASE_ERROR', 'MYSQL_CONNECTION_FAILED')],
    ['mail', name('MAIL_ACCOUNT_INVALID', 'SMTP_FAILED', 'SYSTEM_MAIL_NOT_CONFIGURED', 'EMAIL_MISSING')],
    ['delivery', name('DELIVERY_FILES_INVALID', 'DELIVERY_ADDRESS_CONFLICT', 'DELIVERY_TARGET_USER_MISSING')],
    ['delivery sending', name('DELIVERY_KEY_MISSING', 'DELIVERY_BLOCKED', 'DELIVERY_SEND_FAILED')],
    ['LDAP and links', name('LDAP_UNREACHABLE', 'LDAP_BIND_FAILED', 'LINK_DISABLED')],
    ['files', name('PATH_NOT_FOUND', 'PATH_EXISTS', 'FILE_BUSY', 'OPERATION_UNSUPPORTED', 'RECYCLE_CLEAR_FAILED')],
    ['transfer', name('TRANSFER_OPEN_FAILED', 'TRANSFER_READ_FAILED', 'TRANSFER_WRITE_FAILED')],
    ['transfer ends', name('TRANSFER_DELETE_FAILED', 'TRANSFER_HASH_FAULT', 'TRANSFER_SIZE_MISMATCH', 'DISK_FULL')],
    ['screening', name('VIRUS_FOUND', 'SENSITIVE_WORD_FOUND', 'UPLOAD_LIMITED', 'DOWNLOAD_LIMITED')],
    ['stopped', name('TRANSFER_STOPPED_BY_CLIENT', 'TRANSFER_STOPPED_BY_SERVER', 'TRANSFER_DISCONNECTED')],
    ['timeouts', name('TRANSFER_PROXY_TIMEOUT', 'TRANSFER_CLIENT_TIMEOUT', 'CLIENT_UPGRADE_FAILED')],
    ['point to point', name('P2P_DEVICE_NOT_FOUND', 'P2P_KEY_WRONG', 'P2P_REGISTERED_ELSEWHERE')],
    ['clients', name('P2P_ALREADY_CONNECTED', 'CLIENT_CONNECTION_LIMIT', 'CLIENT_SPACE_UNSUPPORTED')],
  ])('%s: each has a code', (_, names) => {
    expect(names.filter((wanted) => !Object.hasOwn(ERRORS, wanted))).toEqual([])
  })
})
