import { line, type Settings } from '../../foundation/settings/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { defineSettings, setting } from '../../kernel/setting.ts'

const LIST_MAX = 4096

export const PASSWORD_SETTINGS = defineSettings({
  'security.weakPasswords': setting(line(LIST_MAX), { tab: 'security' }),
})

/** Refuses a password of the site's list, whatever its case. @throws AppError PASSWORD_WEAK */
export type RefuseWeak = (password: string) => Promise<void>

export function refuseWeak(settings: Settings): RefuseWeak {
  return async (password) => {
    const { 'security.weakPasswords': list } = await settings.of(PASSWORD_SETTINGS)
    const isListed = list.split(';').some((each) => each.trim() !== '' && fold(each) === fold(password))
    if (isListed) throw new AppError('PASSWORD_WEAK', { faults: ['listed'] })
  }
}

function fold(text: string): string {
  return text.trim().toLowerCase()
}
