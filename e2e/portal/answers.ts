import type { ServiceInfo, SiteInfo, UserInfo } from '@godwit/contract'
import type { Page } from '@playwright/test'

/** The real server's answer with some fields changed: for states that would need another licence, another client or another clock. */
async function changed<Data extends object>(
  page: Page,
  address: string | RegExp,
  change: (data: Data) => Data,
): Promise<void> {
  await page.route(address, async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { readonly code: number; readonly data: Data }
    await route.fulfill({ response, json: answer.code === 200 ? { ...answer, data: change(answer.data) } : answer })
  })
}

export async function withSite(page: Page, site: Partial<SiteInfo>): Promise<void> {
  // The page that comes with the answer and what is drawn of it, as one without.
  await page.route(/\/signin(\?|$)/, async (route) => {
    const response = await route.fetch()
    const html = await response.text()
    const bare = html.replace(/<script type="application\/json".*?<\/script>|<fieldset id="first".*?<\/fieldset>/gs, '')
    await route.fulfill({ response, body: bare })
  })
  await changed<SiteInfo>(page, '**/api/website/info', (data) => ({ ...data, ...site }))
}

export async function withUser(page: Page, user: Partial<UserInfo>): Promise<void> {
  await changed<{ readonly user: UserInfo }>(page, /\/api\/user\/info(\?|$)/, (data) => ({
    user: { ...data.user, ...user },
  }))
}

export async function withService(page: Page, service: Partial<ServiceInfo>): Promise<void> {
  await changed<ServiceInfo>(page, '**/api/service/info', (data) => ({ ...data, ...service }))
}

/** Every entry of the menu switched on, and the selector of spaces. */
export const WHOLE_MENU: SiteInfo['clientMenuDict'] = {
  files: { myFileSwitch: 1, groupFileSwitch: 1 },
  p2p: { p2pSend: 1, p2pRecv: 1 },
  delivery: { myDeliverySwitch: 1 },
  audit: { myAuditSwitch: 1, auditingSwitch: 1, auditedSwitch: 1 },
  shareLink: { switch: 1 },
  inviteLink: { switch: 1 },
  receivedLink: { switch: 1 },
  quarantineArea: { switch: 1 },
  space: { switch: 1, spaceId: 1 },
}
