import type { Locator, Page } from '@playwright/test'
import { expect } from '../fixtures.ts'
import type { Person } from '../operator.ts'
import { FilesPage } from '../pages/files.page.ts'
import { SignInPage } from '../pages/sign-in.page.ts'
import type { Words } from './words.ts'

/** The ways in which a person uses the page. */
export type Manner = 'mouse' | 'keyboard' | 'phone'

/** Does in one manner what a person wants, so that a journey is told once. */
export interface Hand {
  readonly page: Page
  readonly files: FilesPage
  readonly words: Words
  readonly manner: Manner
  /** Runs an action of the folder that is open. */
  here(action: string): Promise<void>
  /** Runs an action on these rows. */
  act(action: string, ...names: readonly string[]): Promise<void>
  /** Opens a file or folder. */
  open(name: string): Promise<void>
  press(button: Locator): Promise<void>
  /** Marks one row of a list that is not the files. */
  check(box: Locator): Promise<void>
  /** Moves a row into a folder in sight, in the quickest way that this manner has. */
  moveInto(folder: string, name: string): Promise<void>
  sortBySize(): Promise<void>
}

export function handOf(page: Page, words: Words, manner: Manner): Hand {
  return manner === 'keyboard' ? keyboardOf(page, words) : pointerOf(page, words, manner)
}

export async function signInBy({ page, manner, press }: Hand, { account, password }: Person): Promise<void> {
  await page.goto('/signin')
  const card = new SignInPage(page)
  if (manner === 'keyboard') {
    await expect(card.account).toBeFocused()
    await page.keyboard.type(account)
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
  } else {
    await card.account.fill(account)
    await card.password.fill(password)
    await press(card.submit)
  }
  // The keys of the folder work once its actions are offered.
  await page.getByTestId('toolbar').locator('[data-action=new-folder]').waitFor()
}

export async function signOutBy({ page, words, press, manner }: Hand): Promise<void> {
  await press(page.getByTestId('account'))
  const entry = page.getByRole('menuitem', { name: words('account.logout') })
  await (manner === 'keyboard' ? chooseByKey(page, entry) : press(entry))
  await page.waitForURL(/signin/)
}

function pointerOf(page: Page, words: Words, manner: 'mouse' | 'phone'): Hand {
  const files = new FilesPage(page)
  const isPhone = manner === 'phone'
  const press = async (target: Locator): Promise<void> => (isPhone ? target.tap() : target.click())
  const inMenu = (action: string): Locator => page.getByRole('menu').locator(`[data-action=${action}]`)
  const inToolbar = async (action: string): Promise<void> => {
    const button = files.toolbar.locator(`[data-action=${action}]`)
    if ((await button.count()) === 0) await press(files.toolbar.getByRole('button', { name: words('common.more') }))
    await press(button.or(inMenu(action)))
  }
  const act = async (action: string, ...names: readonly string[]): Promise<void> => {
    const [first = '', ...others] = names
    if (others.length === 0) {
      await (isPhone
        ? files.row(first).locator('button[data-menu]').tap()
        : nameOf(files, first).click({ button: 'right' }))
      return press(inMenu(action))
    }
    for (const name of names) await press(files.row(name).getByRole('checkbox'))
    return inToolbar(action)
  }
  return {
    page,
    files,
    words,
    manner,
    here: async (action) => {
      // The bar shows what one can do with the selection instead.
      const clear = files.toolbar.getByRole('button', { name: words('action.clear') })
      if ((await clear.count()) > 0) await press(clear)
      return inToolbar(action)
    },
    act,
    press,
    check: press,
    open: async (name) => (isPhone ? nameOf(files, name).tap() : nameOf(files, name).dblclick()),
    moveInto: async (folder, name) => {
      if (isPhone) return moveByDialog(page, words, () => act('move', name), folder, press)
      await nameOf(files, name).dragTo(nameOf(files, folder))
    },
    sortBySize: async () => {
      if (!isPhone)
        return press(files.grid.getByRole('columnheader', { name: words('files.column.size') }).getByRole('button'))
      await press(files.grid.getByRole('columnheader').getByRole('button'))
      await press(page.getByRole('menuitemradio', { name: words('files.column.size') }))
      await page.keyboard.press('Escape')
    },
  }
}

const FOLDER_KEYS: Readonly<Record<string, string>> = {
  'upload-files': 'Alt+u',
  'upload-folder': 'Alt+Shift+U',
  'new-folder': 'Alt+n',
  find: '/',
}

function keyboardOf(page: Page, words: Words): Hand {
  const files = new FilesPage(page)
  const { keyboard } = page
  const press = (button: Locator): Promise<void> => pressByKey(page, button, 'Enter')
  return {
    page,
    files,
    words,
    manner: 'keyboard',
    here: async (action) => {
      const key = FOLDER_KEYS[action]
      return key === undefined ? press(files.toolbar.locator(`[data-action=${action}]`)) : keyboard.press(key)
    },
    act: async (action, ...names) => {
      const [first = '', ...others] = names
      await toRow(files, first)
      for (const name of others) {
        await toRow(files, name, 'Control+')
        await keyboard.press('Control+Space')
      }
      await keyboard.press('Shift+F10')
      await chooseByKey(page, page.getByRole('menu').locator(`[data-action=${action}]`))
    },
    press,
    check: (box) => pressByKey(page, box, 'Space'),
    open: async (name) => {
      await toRow(files, name)
      await keyboard.press('Enter')
    },
    moveInto: async (folder, name) => {
      await toRow(files, name)
      await keyboard.press('Control+x')
      await toRow(files, folder)
      await keyboard.press('Enter')
      await expect(files.toolbar.locator('[data-action=paste]')).toBeVisible()
      await keyboard.press('Control+v')
      await expect(files.row(name)).toBeVisible()
      await keyboard.press('Alt+ArrowUp')
      await expect(files.row(folder)).toBeVisible()
    },
    sortBySize: () =>
      press(files.grid.getByRole('columnheader', { name: words('files.column.size') }).getByRole('button')),
  }
}

/** Moves down the list to a row. @param held a key that is held meanwhile, such as `Control+` */
async function toRow(files: FilesPage, name: string, held = ''): Promise<void> {
  const row = files.row(name)
  await row.waitFor()
  await files.grid.focus()
  const rows = Number(await files.grid.getAttribute('aria-rowcount'))
  await files.page.keyboard.press(`${held}Home`)
  for (let at = 0; at < rows && (await row.getAttribute('data-focused')) === null; at++)
    await files.page.keyboard.press(`${held}ArrowDown`)
  await expect(row).toHaveAttribute('data-focused', 'true')
}

async function pressByKey(page: Page, target: Locator, key: 'Enter' | 'Space'): Promise<void> {
  await target.waitFor()
  for (let steps = 0; steps < 80 && !(await isFocused(target)); steps++) await page.keyboard.press('Tab')
  await expect(target).toBeFocused()
  await page.keyboard.press(key)
}

/** Moves down an open menu to an entry and takes it. */
async function chooseByKey(page: Page, entry: Locator): Promise<void> {
  await entry.waitFor()
  for (let steps = 0; steps < 40 && !(await isFocused(entry)); steps++) await page.keyboard.press('ArrowDown')
  await expect(entry).toBeFocused()
  await page.keyboard.press('Enter')
}

async function moveByDialog(
  page: Page,
  words: Words,
  openDialog: () => Promise<void>,
  folder: string,
  press: (button: Locator) => Promise<void>,
): Promise<void> {
  await openDialog()
  const dialog = page.getByRole('dialog')
  await press(dialog.getByRole('treeitem', { name: folder }))
  await press(dialog.getByRole('button', { name: words('move.submit') }))
}

function nameOf(files: FilesPage, name: string): Locator {
  return files.row(name).locator('[title]').first()
}

function isFocused(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement)
}
