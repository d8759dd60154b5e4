/**
 * What a caller may do after an error.
 * - never: the same call fails again
 * - change: correct the input, then call again
 * - later: the same call may succeed after a while (`data.retryAfterSeconds` when known)
 * - now: call again at once; nothing was changed
 * - sign-in: sign in, then call again
 */
export type RetryAdvice = 'never' | 'change' | 'later' | 'now' | 'sign-in'

export interface ErrorSpec {
  /** The number on the wire. */
  readonly wire: number
  /** 400 is the business status; others mean infrastructure (413, 429, 5xx). */
  readonly status?: 401 | 404 | 409 | 412 | 413 | 415 | 416 | 429 | 431 | 500 | 503 | 507
  readonly retry: RetryAdvice
}

/**
 * Every error a person or a program can cause. Texts are in `packages/i18n` under `error.NAME`, explanations in
 * `docs/errors.md`; a test compares the three in both directions. Numbers below 5000 are fixed by existing clients
 * (4001-4041: storages, parameters, certificates; 33 and 35: point to point); 5000 and above are Godwit's own. A number is
 * never reused.
 */
export const ERRORS = {
  // General
  PARAMETER_INVALID: { wire: 400, retry: 'change' },
  RATE_LIMITED: { wire: 5004, status: 429, retry: 'later' },
  ORIGIN_REFUSED: { wire: 5005, retry: 'never' },
  ROUTE_NOT_FOUND: { wire: 5006, status: 404, retry: 'never' },
  CONTENT_TYPE_UNSUPPORTED: { wire: 5007, status: 415, retry: 'change' },
  BODY_TOO_LARGE: { wire: 5008, status: 413, retry: 'change' },
  INTERNAL: { wire: 5009, status: 500, retry: 'later' },
  SERVICE_STOPPING: { wire: 5010, status: 503, retry: 'later' },
  SETUP_DONE: { wire: 5002, retry: 'never' },
  SETUP_TOKEN_WRONG: { wire: 5003, retry: 'change' },
  RESTART_REQUIRED: { wire: 5011, retry: 'later' },
  SITE_ACCESS_DENIED: { wire: 5012, retry: 'never' },
  HEADERS_TOO_LARGE: { wire: 5013, status: 431, retry: 'change' },
  SERVER_BUSY: { wire: 5014, status: 503, retry: 'later' },

  // Sign-in and accounts
  ACCOUNT_INVALID: { wire: 1002, retry: 'change' },
  ACCOUNT_EXISTS: { wire: 1004, retry: 'change' },
  PASSWORD_WRONG: { wire: 1005, retry: 'change' },
  PERMISSION_DENIED: { wire: 1008, retry: 'never' },
  TOKEN_INVALID: { wire: 1009, retry: 'sign-in' },
  EMAIL_EXISTS: { wire: 1014, retry: 'change' },
  OLD_PASSWORD_WRONG: { wire: 1023, retry: 'change' },
  ACCOUNT_LOCKED: { wire: 1050, retry: 'later' },
  PASSWORD_RESET_REQUIRED: { wire: 1074, retry: 'change' },
  ADDRESS_NOT_ALLOWED: { wire: 1091, retry: 'never' },
  EMAIL_CODE_REQUIRED: { wire: 4132, retry: 'change' },
  PASSWORD_WEAK: { wire: 5001, retry: 'change' },
  AUTH_FAILED: { wire: 5401, retry: 'change' },
  ACCOUNT_NOT_FOUND: { wire: 5402, retry: 'change' },
  ADDRESS_LOCKED: { wire: 5403, retry: 'later' },
  ACCOUNT_NOT_ACTIVATED: { wire: 5404, retry: 'never' },
  SYSTEM_PASSWORD_WRONG: { wire: 5405, retry: 'change' },
  EMAIL_CODE_WRONG: { wire: 5406, retry: 'change' },
  EMAIL_CODE_EXPIRED: { wire: 5407, retry: 'change' },
  RESET_TOKEN_INVALID: { wire: 5408, retry: 'change' },
  ACCOUNT_DISABLED: { wire: 5409, retry: 'never' },
  PASSWORDS_DIFFERENT: { wire: 5410, retry: 'change' },
  PASSWORD_CHANGE_NOT_ALLOWED: { wire: 5411, retry: 'never' },
  PASSWORD_RESET_DISABLED: { wire: 5412, retry: 'never' },
  EMAIL_MISSING: { wire: 5413, retry: 'never' },
  SECOND_FACTOR_REQUIRED: { wire: 5440, retry: 'change' },
  SECOND_FACTOR_WRONG: { wire: 5441, retry: 'change' },
  SECOND_FACTOR_ON: { wire: 5442, retry: 'never' },
  PASSKEY_UNAVAILABLE: { wire: 5443, retry: 'never' },
  PASSKEY_REFUSED: { wire: 5444, retry: 'change' },
  PASSKEY_LIMIT: { wire: 5445, retry: 'change' },
  PASSKEY_NOT_FOUND: { wire: 5446, retry: 'change' },
  API_TOKEN_LIMIT: { wire: 5447, retry: 'change' },
  PLAIN_HTTP_REFUSED: { wire: 5450, retry: 'change' },
  API_TOKEN_NOT_FOUND: { wire: 5448, retry: 'change' },
  SESSION_NOT_FOUND: { wire: 5449, retry: 'change' },
  LDAP_CREDENTIALS_WRONG: { wire: 1057, retry: 'change' },
  LDAP_UNREACHABLE: { wire: 5420, retry: 'later' },
  LDAP_BIND_FAILED: { wire: 5421, retry: 'change' },
  INVITATION_INVALID: { wire: 5434, retry: 'never' },
  EXTERNAL_AUTH_UNREACHABLE: { wire: 5422, retry: 'later' },
  LDAP_CERTIFICATE_INVALID: { wire: 5423, retry: 'change' },
  LDAP_SEARCH_FAILED: { wire: 5424, retry: 'change' },
  LDAP_ANSWER_INVALID: { wire: 5425, retry: 'later' },
  AUTH_PROVIDER_NOT_FOUND: { wire: 5426, retry: 'change' },
  AUTH_PROVIDER_NAME_DUPLICATE: { wire: 5427, retry: 'change' },
  SYNC_RUNNING: { wire: 5428, retry: 'later' },
  SYNC_LOCKS_TOO_MANY: { wire: 5429, retry: 'change' },
  ACCOUNT_MANAGED_ELSEWHERE: { wire: 5433, retry: 'never' },

  // Licence and editions
  LICENCE_EXPIRED: { wire: 1092, retry: 'never' },
  LICENCE_INVALID: { wire: 1093, retry: 'change' },
  LICENCE_CODE_UNSUPPORTED: { wire: 5501, retry: 'change' },
  LICENCE_CODE_FORMAT: { wire: 5502, retry: 'change' },
  LICENCE_NOT_ACTIVATED: { wire: 5503, retry: 'never' },
  EDITION_FEATURE_MISSING: { wire: 5504, retry: 'never' },
  EDITION_USER_LIMIT: { wire: 5505, retry: 'never' },
  CLIENT_CONNECTION_LIMIT: { wire: 5506, retry: 'later' },
  TRAFFIC_INSUFFICIENT: { wire: 5507, retry: 'never' },
  CLIENT_SPACE_UNSUPPORTED: { wire: 5508, retry: 'change' },
  CLIENT_TOO_OLD: { wire: 5509, retry: 'change' },

  // Files and folders
  PATH_NOT_FOUND: { wire: 5100, retry: 'change' },
  PATH_EXISTS: { wire: 5101, retry: 'change' },
  PATH_IS_FILE: { wire: 5102, retry: 'change' },
  PATH_IS_FOLDER: { wire: 5103, retry: 'change' },
  NAME_INVALID: { wire: 5104, retry: 'change' },
  PATH_TOO_LONG: { wire: 5105, retry: 'change' },
  NAME_CASE_CLASH: { wire: 5106, retry: 'change' },
  TARGET_INSIDE_SOURCE: { wire: 5107, retry: 'change' },
  TOO_MANY_PATHS: { wire: 5108, retry: 'change' },
  CURSOR_INVALID: { wire: 5109, retry: 'change' },
  FILE_BUSY: { wire: 5110, retry: 'later' },
  RANGE_INVALID: { wire: 5111, status: 416, retry: 'change' },
  TICKET_INVALID: { wire: 5112, retry: 'change' },
  OPERATION_UNSUPPORTED: { wire: 5113, retry: 'never' },
  JOB_NOT_FOUND: { wire: 5114, retry: 'never' },
  FILE_CHANGED: { wire: 5115, retry: 'now' },
  FILE_CORRUPT: { wire: 5116, retry: 'never' },
  RECYCLE_ITEM_NOT_FOUND: { wire: 5117, retry: 'never' },
  RECYCLE_CLEAR_FAILED: { wire: 5118, retry: 'later' },
  PREVIEW_UNSUPPORTED: { wire: 5119, retry: 'never' },
  FILE_TYPE_NOT_ALLOWED: { wire: 5120, retry: 'change' },
  FILE_SCREENING: { wire: 5121, retry: 'later' },
  QUARANTINE_ITEM_NOT_FOUND: { wire: 5122, retry: 'never' },
  ARCHIVE_UNREADABLE: { wire: 5123, retry: 'never' },
  ARCHIVE_TOO_LARGE: { wire: 5124, retry: 'never' },
  VERSION_NOT_FOUND: { wire: 5125, retry: 'never' },
  FILE_LOCKED: { wire: 5130, retry: 'later' },
  FILE_LOCK_LIMIT: { wire: 5131, retry: 'later' },

  // Uploads
  UPLOAD_NOT_FOUND: { wire: 5200, status: 404, retry: 'never' },
  UPLOAD_SIZE_INVALID: { wire: 5201, retry: 'change' },
  UPLOAD_TOO_LARGE: { wire: 5202, status: 413, retry: 'change' },
  UPLOAD_PART_INVALID: { wire: 5203, retry: 'change' },
  UPLOAD_INCOMPLETE: { wire: 5204, retry: 'change' },
  UPLOAD_HASH_MISMATCH: { wire: 5205, retry: 'now' },
  UPLOAD_FAILED: { wire: 5206, retry: 'change' },
  UPLOAD_EXPIRED: { wire: 5207, retry: 'change' },
  UPLOAD_OFFSET_CONFLICT: { wire: 5208, status: 409, retry: 'change' },
  UPLOAD_BUSY: { wire: 5209, retry: 'later' },
  QUOTA_EXCEEDED: { wire: 5210, retry: 'change' },

  // Transfers
  TRANSFER_OPEN_FAILED: { wire: 5901, retry: 'later' },
  TRANSFER_READ_FAILED: { wire: 5902, retry: 'later' },
  TRANSFER_WRITE_FAILED: { wire: 5903, retry: 'later' },
  TRANSFER_DELETE_FAILED: { wire: 5904, retry: 'later' },
  VIRUS_FOUND: { wire: 5905, retry: 'never' },
  SENSITIVE_WORD_FOUND: { wire: 5906, retry: 'never' },
  UPLOAD_LIMITED: { wire: 5907, retry: 'never' },
  DOWNLOAD_LIMITED: { wire: 5908, retry: 'never' },
  TRANSFER_HASH_FAULT: { wire: 5909, retry: 'now' },
  TRANSFER_SIZE_MISMATCH: { wire: 5910, retry: 'now' },
  TRANSFER_STOPPED_BY_CLIENT: { wire: 5911, retry: 'now' },
  TRANSFER_STOPPED_BY_SERVER: { wire: 5912, retry: 'later' },
  TRANSFER_DISCONNECTED: { wire: 5913, retry: 'now' },
  TRANSFER_PROXY_TIMEOUT: { wire: 5914, retry: 'later' },
  TRANSFER_CLIENT_TIMEOUT: { wire: 5915, retry: 'later' },
  CLIENT_UPGRADE_FAILED: { wire: 5916, retry: 'later' },
  CLIENT_PACKAGE_MISSING: { wire: 5921, status: 404, retry: 'later' },
  CLIENT_NOT_CONNECTED: { wire: 5917, retry: 'later' },
  WEB_TRANSFER_NOT_ALLOWED: { wire: 5918, retry: 'never' },
  CLIENT_TRANSFER_NOT_ALLOWED: { wire: 5919, retry: 'never' },
  DISK_FULL: { wire: 5920, retry: 'later' },
  TRANSFER_PORT_UNAVAILABLE: { wire: 5922, retry: 'later' },
  TRANSFER_NOT_FOUND: { wire: 5923, retry: 'never' },
  DEVICE_CODE_INVALID: { wire: 5924, retry: 'change' },

  // Storage
  STORAGE_NAME_INVALID: { wire: 4001, retry: 'change' },
  STORAGE_NAME_DUPLICATE: { wire: 4002, retry: 'change' },
  STORAGE_ID_MISSING: { wire: 4003, retry: 'change' },
  STORAGE_DEFAULT_UNDELETABLE: { wire: 4004, retry: 'never' },
  STORAGE_CONNECTION_FAILED: { wire: 4005, retry: 'change' },
  SPACE_NEEDS_STORAGE: { wire: 4006, retry: 'change' },
  STORAGE_NOT_FOUND: { wire: 4007, retry: 'change' },
  STORAGE_IN_USE: { wire: 4008, retry: 'change' },
  STORAGE_FULL: { wire: 4009, status: 507, retry: 'later' },
  STORAGE_READ_ONLY: { wire: 4010, status: 503, retry: 'later' },
  STORAGE_UNREACHABLE: { wire: 4011, status: 503, retry: 'later' },
  STORAGE_PERMISSION: { wire: 4012, retry: 'never' },
  STORAGE_CREDENTIALS_WRONG: { wire: 4013, retry: 'change' },
  STORAGE_BUCKET_NOT_FOUND: { wire: 4014, retry: 'change' },
  STORAGE_ENDPOINT_INVALID: { wire: 4015, retry: 'change' },
  STORAGE_PATH_INVALID: { wire: 4016, retry: 'change' },
  STORAGE_SLICE_SIZE_INVALID: { wire: 4017, retry: 'change' },
  STORAGE_NOT_OURS: { wire: 5320, status: 503, retry: 'later' },
  STORAGE_THROTTLED: { wire: 4018, status: 503, retry: 'later' },
  ALIAS_PATH_INVALID: { wire: 4019, retry: 'change' },
  ALIAS_PATH_DUPLICATE: { wire: 4020, retry: 'change' },

  // Parameters
  VALUE_REQUIRED: { wire: 4021, retry: 'change' },
  NAME_TOO_LONG: { wire: 4022, retry: 'change' },
  REMARK_TOO_LONG: { wire: 4023, retry: 'change' },
  LIST_TOO_LONG: { wire: 4024, retry: 'change' },
  PORT_INVALID: { wire: 4026, retry: 'change' },
  BANDWIDTH_INVALID: { wire: 4027, retry: 'change' },
  ADDRESS_LIST_INVALID: { wire: 4028, retry: 'change' },
  EMAIL_INVALID: { wire: 4029, retry: 'change' },
  TIME_RANGE_INVALID: { wire: 4030, retry: 'change' },
  STATISTICS_PERIOD_TOO_SHORT: { wire: 4031, retry: 'change' },
  TCP_DELAY_REQUIRED: { wire: 4032, retry: 'change' },
  SENSITIVE_WORD_INVALID: { wire: 4033, retry: 'change' },
  POLICY_ORDER_INVALID: { wire: 4034, retry: 'change' },
  PHONE_INVALID: { wire: 4035, retry: 'change' },
  PACKAGE_SIZE_INVALID: { wire: 1036, retry: 'change' },

  // Certificates
  CERTIFICATE_KEY_INVALID: { wire: 4036, retry: 'change' },
  CERTIFICATE_PEM_INVALID: { wire: 4037, retry: 'change' },
  CERTIFICATE_KEY_TOO_SHORT: { wire: 4038, retry: 'change' },
  CERTIFICATE_EXPIRED: { wire: 4039, retry: 'change' },
  CERTIFICATE_NOT_RSA: { wire: 4040, retry: 'change' },
  CERTIFICATE_MISMATCH: { wire: 4041, retry: 'change' },
  CERTIFICATE_KEY_ENCRYPTED: { wire: 5330, retry: 'change' },
  CERTIFICATE_CHAIN_INVALID: { wire: 5331, retry: 'change' },

  // Database
  DATABASE_UNAVAILABLE: { wire: 5310, status: 503, retry: 'later' },
  DATABASE_ERROR: { wire: 5311, status: 500, retry: 'later' },
  MYSQL_CONNECTION_FAILED: { wire: 5312, retry: 'change' },
  MYSQL_UNSUPPORTED: { wire: 5313, retry: 'change' },

  // Spaces, roles, administrators and departments
  NO_SPACE: { wire: 4084, retry: 'never' },
  SPACE_NOT_FOUND: { wire: 6001, retry: 'change' },
  SPACE_NAME_DUPLICATE: { wire: 6002, retry: 'change' },
  SPACE_DEFAULT_UNDELETABLE: { wire: 6003, retry: 'never' },
  SPACE_HAS_GROUPS: { wire: 6004, retry: 'change' },
  ROLE_NOT_FOUND: { wire: 6010, retry: 'change' },
  ROLE_NAME_DUPLICATE: { wire: 6011, retry: 'change' },
  ROLE_IN_USE: { wire: 6012, retry: 'change' },
  ADMIN_NOT_FOUND: { wire: 6020, retry: 'change' },
  ADMIN_EXISTS: { wire: 6021, retry: 'change' },
  LAST_ADMIN: { wire: 6022, retry: 'never' },
  ADMIN_IN_POLICY: { wire: 6023, retry: 'change' },
  ADMIN_ID_FIXED: { wire: 6024, retry: 'never' },
  SUPER_ADMIN_ONLY: { wire: 6025, retry: 'never' },
  DEPARTMENT_NOT_FOUND: { wire: 6030, retry: 'change' },
  DEPARTMENT_NAME_DUPLICATE: { wire: 6031, retry: 'change' },
  DEPARTMENT_NAME_INVALID: { wire: 6032, retry: 'change' },
  DEPARTMENT_INTEGRATED: { wire: 6033, retry: 'never' },
  DEPARTMENT_CYCLE: { wire: 6034, retry: 'change' },
  DEPARTMENT_HAS_CHILDREN: { wire: 6035, retry: 'change' },
  VIEWS_TOO_MANY: { wire: 6075, retry: 'change' },
  VIEW_NOT_FOUND: { wire: 6076, retry: 'change' },
  EDIT_CONFLICT: { wire: 6060, retry: 'change' },
  ADDRESS_SHUTS_OUT: { wire: 6061, retry: 'change' },
  GROUP_HAS_USERS: { wire: 1059, retry: 'change' },
  GROUP_NAME_DUPLICATE: { wire: 1060, retry: 'change' },
  GROUP_NOT_FOUND: { wire: 6040, retry: 'change' },
  IMPORT_FILE_REQUIRED: { wire: 6050, retry: 'change' },
  IMPORT_FILE_UNREADABLE: { wire: 6051, retry: 'change' },
  IMPORT_ROWS_INVALID: { wire: 6052, retry: 'change' },
  BRANDING_IMAGE_INVALID: { wire: 6053, retry: 'change' },
  BRANDING_IMAGE_MISSING: { wire: 6056, status: 404, retry: 'never' },
  NODE_NOT_FOUND: { wire: 6054, retry: 'change' },
  NOTICE_NOT_FOUND: { wire: 6055, retry: 'change' },
  NOTICE_ALREADY_SENT: { wire: 6057, retry: 'never' },

  // Tasks, sync and events
  TASK_NOT_FOUND: { wire: 6101, retry: 'change' },
  TASK_NAME_DUPLICATE: { wire: 6102, retry: 'change' },
  TASK_PATH_INVALID: { wire: 6103, retry: 'change' },
  TASK_CLIENT_REQUIRED: { wire: 6104, retry: 'change' },
  TASK_CREATOR_FIXED: { wire: 6105, retry: 'never' },
  TASK_STATE_CONFLICT: { wire: 6106, retry: 'change' },
  SYNC_ROOT_DELETE: { wire: 6107, retry: 'change' },
  SYNC_NOT_SUPPORTED: { wire: 6108, retry: 'never' },
  EVENT_NOT_FOUND: { wire: 6110, retry: 'change' },
  EVENT_NAME_DUPLICATE: { wire: 6111, retry: 'change' },
  HOOK_ADDRESS_REFUSED: { wire: 6112, retry: 'change' },
  HOOK_LIMIT: { wire: 6113, retry: 'change' },

  // Links
  LINK_EXPIRED: { wire: 1041, retry: 'never' },
  LINK_NOT_FOUND: { wire: 4025, retry: 'never' },
  LINK_DISABLED: { wire: 5601, retry: 'never' },
  LINK_PASSWORD_REQUIRED: { wire: 5602, retry: 'change' },
  LINK_PASSWORD_WRONG: { wire: 5603, retry: 'change' },
  LINK_DEVICE_MISMATCH: { wire: 5604, retry: 'never' },
  LINK_DOWNLOAD_NOT_ALLOWED: { wire: 5605, retry: 'never' },
  LINK_DUPLICATE: { wire: 5606, retry: 'change' },
  LINK_PASSWORD_INVALID: { wire: 5607, retry: 'change' },
  LINK_EXPIRY_PAST: { wire: 5608, retry: 'change' },
  SHARE_TOO_MANY_FILES: { wire: 5609, retry: 'change' },
  SHARE_MAIL_SENDER_MISSING: { wire: 5610, retry: 'change' },
  SHARE_MAIL_BY_PERSON: { wire: 5619, retry: 'change' },
  FILE_ALIAS_INVALID: { wire: 5611, retry: 'change' },
  FILE_ALIAS_TAKEN: { wire: 5612, retry: 'change' },
  FILE_ALIAS_DUPLICATE: { wire: 5613, retry: 'change' },
  FILE_ALIAS_NOT_ALLOWED: { wire: 5614, retry: 'change' },
  LINK_FORM_REQUIRED: { wire: 5615, retry: 'change' },
  LINK_EMAIL_REQUIRED: { wire: 5616, retry: 'change' },
  LINK_RECIPIENT_REQUIRED: { wire: 5617, retry: 'change' },

  // Delivery and review
  DELIVERY_NOT_FOUND: { wire: 5701, retry: 'change' },
  DELIVERY_TARGET_REQUIRED: { wire: 5702, retry: 'change' },
  DELIVERY_FILES_REQUIRED: { wire: 5703, retry: 'change' },
  DELIVERY_RECIPIENT_REQUIRED: { wire: 5704, retry: 'change' },
  DELIVERY_FILES_INVALID: { wire: 5705, retry: 'change' },
  DELIVERY_ADDRESS_CONFLICT: { wire: 5706, retry: 'change' },
  DELIVERY_TARGET_USER_MISSING: { wire: 5707, retry: 'change' },
  DELIVERY_KEY_MISSING: { wire: 5708, retry: 'change' },
  DELIVERY_BLOCKED: { wire: 5709, retry: 'never' },
  DELIVERY_SEND_FAILED: { wire: 5710, retry: 'later' },
  DELIVERY_STATE_CONFLICT: { wire: 5711, retry: 'change' },
  DELIVERY_AUTHORISATION_NOT_FOUND: { wire: 5712, retry: 'change' },
  DELIVERY_AUTHORISATION_DUPLICATE: { wire: 5713, retry: 'change' },
  DELIVERY_TARGET_NOT_FOUND: { wire: 5714, retry: 'change' },
  DELIVERY_TARGET_DUPLICATE: { wire: 5715, retry: 'change' },
  DELIVERY_DUPLICATE: { wire: 5716, retry: 'change' },
  REVIEW_NOT_FOUND: { wire: 5720, retry: 'change' },
  REVIEW_SETTLED: { wire: 5721, retry: 'never' },
  REVIEW_NOT_APPROVER: { wire: 5722, retry: 'never' },
  POLICY_NOT_FOUND: { wire: 5730, retry: 'change' },
  POLICY_NAME_DUPLICATE: { wire: 5731, retry: 'change' },
  POLICY_ORDER_DUPLICATE: { wire: 5732, retry: 'change' },
  POLICY_STEP_EMPTY: { wire: 5733, retry: 'change' },

  // Point to point
  P2P_RECEIVING_OFF: { wire: 33, retry: 'later' },
  P2P_DEVICE_UNAVAILABLE: { wire: 35, retry: 'later' },
  P2P_DEVICE_NOT_FOUND: { wire: 5801, retry: 'change' },
  P2P_KEY_WRONG: { wire: 5802, retry: 'change' },
  P2P_REGISTERED_ELSEWHERE: { wire: 5803, retry: 'change' },
  P2P_ALREADY_CONNECTED: { wire: 5804, retry: 'later' },
  P2P_RECEIVER_REQUIRED: { wire: 5805, retry: 'change' },
  P2P_RECEIVER_IS_SELF: { wire: 5806, retry: 'change' },
  P2P_FILES_REQUIRED: { wire: 5807, retry: 'change' },

  // E-mail
  SYSTEM_MAIL_NOT_CONFIGURED: { wire: 5430, retry: 'never' },
  MAIL_ACCOUNT_INVALID: { wire: 5431, retry: 'change' },
  SMTP_FAILED: { wire: 5432, retry: 'change' },
} as const satisfies Readonly<Record<string, ErrorSpec>>

export type ErrorName = keyof typeof ERRORS

const BY_WIRE = new Map<number, ErrorName>(Object.entries(ERRORS).map(([name, spec]) => [spec.wire, name as ErrorName]))
/** 1037 is an accepted synonym of 1041. */
BY_WIRE.set(1037, 'LINK_EXPIRED')

/** @returns undefined for a number the catalogue does not hold */
export function errorByWire(code: number): ErrorName | undefined {
  return BY_WIRE.get(code)
}

export function errorSpec(name: ErrorName): ErrorSpec {
  return ERRORS[name]
}
