import type { Page } from '@playwright/test'

/** Writes down what the page asks of the device, which does it all the same. @returns what it asked for so far */
export async function watchDevice(page: Page) {
  // The browser has no window in which it could ask: it holds the question open until the test answers.
  await page.context().grantPermissions(['screen-wake-lock'])
  const { targetInfo } = await (await page.context().newCDPSession(page)).send('Target.getTargetInfo')
  const control = await page.context().browser()?.newBrowserCDPSession()
  await control?.send('Browser.setPermission', {
    permission: { name: 'notifications' },
    setting: 'prompt',
    ...(targetInfo.browserContextId !== undefined && { browserContextId: targetInfo.browserContextId }),
  })
  await page.evaluate(() => {
    const locks: WakeLockSentinel[] = []
    const notices: string[] = []
    const request = navigator.wakeLock.request.bind(navigator.wakeLock)
    navigator.wakeLock.request = async (type) => {
      const lock = await request(type)
      locks.push(lock)
      return lock
    }
    window.Notification = class extends Notification {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options)
        notices.push(title)
      }
    }
    Object.assign(window, {
      asked: () => ({ notices, locks: locks.map(({ released }) => (released ? 'released' : 'held')) }),
    })
  })
  type Asked = Readonly<Record<'locks' | 'notices', readonly string[]>>
  return (what: keyof Asked) =>
    page.evaluate((name) => (window as unknown as { asked: () => Asked }).asked()[name], what)
}
