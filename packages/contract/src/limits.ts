/** Limits and intervals that server, web and client share. */
export const LIMITS = {
  accountMin: 3,
  accountMax: 30,
  displayNameMax: 32,
  /** Characters of a file or folder name; the storage's own limit of 255 bytes applies as well. */
  fileNameMax: 255,
  /** Bytes a local file system and most object stores accept for one name. */
  fileNameMaxBytes: 255,
  /** Bytes of a whole path below a user's root. */
  pathMaxBytes: 4096,
  textInputMax: 256,
  /** Paths in one call, at most. */
  pathsPerCall: 10_000,
  /** Favorites of one account, in all of its spaces; also those whose entry is in the recycle bin. */
  favoritesMax: 1000,
  /** How often the page of a preview reports that it is still looked at. */
  previewReportMs: 30_000,
  previewLogKeptMs: 90 * 24 * 3_600_000,
  listPageDefault: 500,
  listPageMax: 20_000,
  uploadsInParallel: 10,
  requestTimeoutMs: 90_000,
  loginDebounceMs: 500,
  logoutDelayMs: 200,
  idleLogoutMs: 30 * 60_000,
  idleWarningMs: 2 * 60_000,
  tokenRefreshMs: 20 * 60_000,
  sessionCheckMs: 60_000,
  reconnectMs: 6_000,
  reconnectAttempts: 50_000,
  refreshListThrottleMs: 1_000,
  toastMs: 3_000,
  toastCustomMs: 10_000,
  toastDuplicateMs: 3_000,
  /** Lifetime of an upload's own grant, which may outlast the session that started it. */
  uploadGrantMs: 7 * 24 * 3_600_000,
  defaultSpaceId: 1,
  defaultGroupId: 0,
  /** Passwords of the standard rule; see passwords.ts for the presets. */
  passwordMin: 8,
  passwordMax: 20,
  remarkMax: 1024,
  sensitiveWordMax: 100,
  /** Lists of addresses and file types hold fewer characters than this. */
  listTextLimit: 255,
  policyOrderMin: 1,
  policyOrderMax: 100,
  /** Failed sign-ins before an account locks: what an administrator may set. */
  lockThresholdMin: 3,
  lockThresholdMax: 30,
  /** Verification codes: digits, lifetime, tries, and the pause before another is sent. */
  codeDigits: 6,
  codeLifeMs: 10 * 60_000,
  codeTries: 5,
  codeResendMs: 60_000,
  passwordChangeRedirectMs: 1_200,
  /** Entries of a dropped folder that are read between two pauses of `directoryPauseMs`. */
  directoryScanBatch: 100,
  directoryPauseMs: 50,
  /** Paths of an upload that its failure report names. */
  failedPathsReported: 5,
  folderConfirmUnlockMs: 300,
  aliasMax: 255,
  /** Aliases are offered for fewer files than this, and for no folder. */
  aliasFilesLimit: 10,
  sharePasswordMax: 6,
  sharePasswordGenerated: 4,
  shareFilesMax: 10_000,
  shareExpiryDays: [1, 3, 7, 30],
  shareExpiryDefaultDays: 1,
  /** A link shows the days left from here on. */
  shareDaysLeftBadge: 7,
  /** An e-mail address of this length or more is shown shortened. */
  emailTagMax: 30,
  deliveryPollMs: 3_000,
  p2pSendDelayMs: 200,
  p2pBlurDelayMs: 300,
  noticePageSize: 10,
  noticeUnreadFetch: 50,
  linkPageSize: 10,
  quarantinePageSize: 10,
  deliveryPageSize: 5,
  pageSizeDefault: 10,
  pageSizes: [10, 20, 30, 40, 50],
  deliveryPageSizes: [5, 10, 20, 30, 40, 50],
  /** UDP payload bytes, our header and tag included. */
  packageSizeMin: 600,
  packageSizeMax: 1442,
  /** Initial value of the field when a limit is switched on; without a limit the bandwidth is 0. */
  bandwidthPrefillMbps: 5,
  statisticsPeriodMinMs: 3_600_000,
  statisticsDays: [7, 30],
  rsaBitsMin: 2048,
  /** Age at which a local storage may clean up: 7 days, 1, 3, 6 and 12 months. */
  cleanAgeDays: [7, 30, 90, 180, 365],
  iconMaxPixels: [64, 64],
  logoMaxPixels: [160, 70],
  backgroundMaxPixels: [1920, 1080],
} as const

/** Measures that only the screens need, in CSS pixels; times in milliseconds. */
export const SCREEN = {
  pageDesignWidth: 1400,
  gridColumns: 24,
  loginCardWidth: 480,
  limitOverlayWidth: 416,
  modalMinWidth: 520,
  confirmWidth: 420,
  modalZIndex: 10,
  confirmZIndex: 1000,
  modalOpenMs: 100,
  modalCloseMs: 200,
  drawerWidth: 460,
  formSubmitDelayMs: 200,
  spinnerDelayMs: 200,
  tableRowHeight: 49,
  tableMaxHeight: 700,
  tableEmptyHeight: 120,
  tableNarrowColumn: 36,
  folderTreeRowHeight: 49,
  searchRowHeight: 45,
  searchListMaxHeight: 300,
  searchDialogWidth: 600,
  uploadPanelWidth: 350,
  uploadPanelCollapsedHeight: 50,
  uploadPanelHeight: 470,
  uploadPanelListHeight: 420,
  uploadPanelRowHeight: 60,
  paginationBoundaryPages: 1,
  paginationSiblingPages: 2,
  /** Share of a storage bar from which it warns, and from which it shows an error. */
  progressWarning: 0.5,
  progressError: 0.9,
  /** Sign-in card on a 1-9 grid: the server's default, and the page's own without site info. */
  signInPositionDefault: 6,
  signInPositionFallback: 5,
} as const

/** Optional extra listeners for the file socket, off by default; the socket itself is `/ws/files` on the main port. */
export const LOCAL_PORTS = { plain: 2480, secure: 2481 } as const

export const DEFAULT_PORT = 8090
export const DEFAULT_PRIMARY_COLOUR = '#FD5C1F'
export const DEFAULT_BACKGROUND_COLOUR = '#F7F7F7'
