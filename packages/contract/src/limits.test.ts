import { describe, expect, it } from 'vitest'
import {
  DEFAULT_BACKGROUND_COLOUR,
  DEFAULT_PORT,
  DEFAULT_PRIMARY_COLOUR,
  LIMITS,
  LOCAL_PORTS,
  SCREEN,
} from './limits.ts'

const MINUTE = 60_000

describe('limits of the portal shell', () => {
  it.each<[string, unknown, unknown]>([
    ['default API port', DEFAULT_PORT, 8090],
    ['sign-in position', [SCREEN.signInPositionDefault, SCREEN.signInPositionFallback], [6, 5]],
    ['logout redirect', LIMITS.logoutDelayMs, 200],
    ['login debounce', LIMITS.loginDebounceMs, 500],
    ['password-change redirect', LIMITS.passwordChangeRedirectMs, 1200],
    ['refresh-list throttle', LIMITS.refreshListThrottleMs, 1000],
    ['code resend and validity', [LIMITS.codeResendMs, LIMITS.codeLifeMs], [60_000, 10 * MINUTE]],
    ['notices', [LIMITS.noticePageSize, LIMITS.noticeUnreadFetch], [10, 50]],
    ['default space id', LIMITS.defaultSpaceId, 1],
    ['idle logout, token refresh', [LIMITS.idleLogoutMs, LIMITS.tokenRefreshMs], [30 * MINUTE, 20 * MINUTE]],
    ['session check', LIMITS.sessionCheckMs, MINUTE],
    ['reconnect', [LIMITS.reconnectMs, LIMITS.reconnectAttempts], [6000, 50_000]],
    ['colours', [DEFAULT_PRIMARY_COLOUR, DEFAULT_BACKGROUND_COLOUR], ['#FD5C1F', '#F7F7F7']],
    ['request timeout', LIMITS.requestTimeoutMs, 90_000],
    ['ports', LOCAL_PORTS, { plain: 2480, secure: 2481 }],
    ['login card, page, grid', [SCREEN.loginCardWidth, SCREEN.pageDesignWidth, SCREEN.gridColumns], [480, 1400, 24]],
    ['pagination', [LIMITS.pageSizeDefault, LIMITS.pageSizes], [10, [10, 20, 30, 40, 50]]],
    ['pages shown', [SCREEN.paginationBoundaryPages, SCREEN.paginationSiblingPages], [1, 2]],
    ['tables', [SCREEN.tableRowHeight, SCREEN.tableMaxHeight, SCREEN.tableEmptyHeight], [49, 700, 120]],
    ['modal times', [SCREEN.modalOpenMs, SCREEN.modalCloseMs], [100, 200]],
    ['modal widths', [SCREEN.modalMinWidth, SCREEN.confirmWidth, SCREEN.drawerWidth], [520, 420, 460]],
    ['delays', [SCREEN.spinnerDelayMs, SCREEN.formSubmitDelayMs], [200, 200]],
    ['limit overlay', SCREEN.limitOverlayWidth, 416],
    ['plain text input', LIMITS.textInputMax, 256],
  ])('%s', (_, actual, wanted) => {
    expect(actual).toEqual(wanted)
  })
})

describe('limits of files, links and deliveries', () => {
  it.each<[string, unknown, unknown]>([
    ['names and aliases', [LIMITS.fileNameMax, LIMITS.aliasMax], [255, 255]],
    ['share password', [LIMITS.sharePasswordMax, LIMITS.sharePasswordGenerated], [6, 4]],
    ['aliases only under 10 files', LIMITS.aliasFilesLimit, 10],
    ['files of a share, one number in both languages', LIMITS.shareFilesMax, 10_000],
    ['expiry', [LIMITS.shareExpiryDays, LIMITS.shareExpiryDefaultDays], [[1, 3, 7, 30], 1]],
    ['days-left badge', LIMITS.shareDaysLeftBadge, 7],
    ['page sizes', [LIMITS.linkPageSize, LIMITS.quarantinePageSize, LIMITS.deliveryPageSize], [10, 10, 5]],
    ['delivery options 5-50', LIMITS.deliveryPageSizes, [5, 10, 20, 30, 40, 50]],
    ['delivery polling, toast', [LIMITS.deliveryPollMs, LIMITS.toastCustomMs], [3000, 10_000]],
    ['search', [SCREEN.searchRowHeight, SCREEN.searchListMaxHeight, SCREEN.searchDialogWidth], [45, 300, 600]],
    ['folder tree row', SCREEN.folderTreeRowHeight, 49],
    ['uploads in parallel', LIMITS.uploadsInParallel, 10],
    ['failed paths kept', LIMITS.failedPathsReported, 5],
    ['directory scan', [LIMITS.directoryScanBatch, LIMITS.directoryPauseMs], [100, 50]],
    ['folder confirm unlocks', LIMITS.folderConfirmUnlockMs, 300],
    ['e-mail tags', LIMITS.emailTagMax, 30],
    ['point to point', [LIMITS.p2pSendDelayMs, LIMITS.p2pBlurDelayMs], [200, 300]],
    ['upload panel', [SCREEN.uploadPanelWidth, SCREEN.uploadPanelCollapsedHeight], [350, 50]],
    ['upload panel open', [SCREEN.uploadPanelHeight, SCREEN.uploadPanelListHeight], [470, 420]],
    ['upload panel row', SCREEN.uploadPanelRowHeight, 60],
  ])('%s', (_, actual, wanted) => {
    expect(actual).toEqual(wanted)
  })
})

describe('limits of the console', () => {
  it.each<[string, unknown, unknown]>([
    ['account', [LIMITS.accountMin, LIMITS.accountMax], [3, 30]],
    ['password', [LIMITS.passwordMin, LIMITS.passwordMax], [8, 20]],
    ['name, remark', [LIMITS.displayNameMax, LIMITS.remarkMax], [32, 1024]],
    ['sensitive word', LIMITS.sensitiveWordMax, 100],
    ['lists', LIMITS.listTextLimit, 255],
    ['policy order', [LIMITS.policyOrderMin, LIMITS.policyOrderMax], [1, 100]],
    ['package size', [LIMITS.packageSizeMin, LIMITS.packageSizeMax], [600, 1442]],
    ['toasts', [LIMITS.toastMs, LIMITS.toastCustomMs, LIMITS.toastDuplicateMs], [3000, 10_000, 3000]],
    ['lock threshold', [LIMITS.lockThresholdMin, LIMITS.lockThresholdMax], [3, 30]],
    ['statistics period', LIMITS.statisticsPeriodMinMs, 60 * MINUTE],
    ['statistics filters', LIMITS.statisticsDays, [7, 30]],
    ['default bandwidth', LIMITS.bandwidthPrefillMbps, 5],
    ['default ids', [LIMITS.defaultSpaceId, LIMITS.defaultGroupId], [1, 0]],
    ['clean age of 7 days, 1, 3, 6, 12 months', LIMITS.cleanAgeDays, [7, 30, 90, 180, 365]],
    [
      'branding',
      [LIMITS.iconMaxPixels, LIMITS.logoMaxPixels],
      [
        [64, 64],
        [160, 70],
      ],
    ],
    ['background', LIMITS.backgroundMaxPixels, [1920, 1080]],
    ['progress colour', [SCREEN.progressWarning, SCREEN.progressError], [0.5, 0.9]],
    ['modal z-index', [SCREEN.modalZIndex, SCREEN.confirmZIndex], [10, 1000]],
    ['narrow columns', SCREEN.tableNarrowColumn, 36],
    ['certificate', LIMITS.rsaBitsMin, 2048],
  ])('%s', (_, actual, wanted) => {
    expect(actual).toEqual(wanted)
  })
})
