import { routes } from '@godwit/contract/table'
import { Ban, CircleCheck, type LucideIcon, Trash2, Unlink } from 'lucide-react'
import type { ChosenLinks } from '@godwit/contract'
import type { Api } from '../../../lib/http.ts'
import type { Texts } from '../../../lib/texts.tsx'
import type { BulkAction } from '../../console-kit/bulk.ts'
import { chosenLinks, type LinkKind } from './registers-source.ts'

export const REGISTER_ACTIONS = ['disable', 'enable', 'unbind', 'remove'] as const
export type RegisterActionName = (typeof REGISTER_ACTIONS)[number]

export const REGISTER_ICONS: Readonly<Record<RegisterActionName, LucideIcon>> = {
  disable: Ban,
  enable: CircleCheck,
  unbind: Unlink,
  remove: Trash2,
}

/** What can be done with somebody's links, one or ten thousand. It says first how many, whose, and who is in now. */
export function registerAction(api: Api, texts: Texts, kind: LinkKind, name: RegisterActionName): BulkAction {
  return {
    name: `${name}-links`,
    label: `registers.${name}`,
    icon: REGISTER_ICONS[name],
    ...(name === 'remove' ? { tone: 'danger' } : {}),
    title: (count) => texts(`registers.${name}.title`, { count }),
    text: () => texts(`registers.${name}.text`),
    verb: texts(`registers.${name}`),
    done: (count) => texts(`registers.${name}.done`, { count }),
    async summary(chosen) {
      const body = { chosen: chosenLinks(kind, chosen), change: name }
      const { changed, unchanged, owners, visits } = await api.call(routes.adminLinks.tryOut, { body })
      return [
        texts('registers.would', { count: changed, owners }),
        ...(unchanged === 0 ? [] : [texts('registers.would.unchanged', { count: unchanged })]),
        ...(visits === 0 ? [] : [texts('registers.would.visits', { count: visits })]),
      ].join(' ')
    },
    async run(chosen) {
      const body = { chosen: chosenLinks(kind, chosen) }
      const { changed, failed } = await send(api, name, body)
      return { changed, failed: failed.map(({ id, message }) => ({ name: id, reason: message })) }
    },
  }
}

function send(api: Api, name: RegisterActionName, body: { readonly chosen: ChosenLinks }) {
  switch (name) {
    case 'disable':
      return api.call(routes.adminLinks.disable, { body })
    case 'enable':
      return api.call(routes.adminLinks.enable, { body })
    case 'unbind':
      return api.call(routes.adminLinks.unbind, { body })
    case 'remove':
      return api.call(routes.adminLinks.remove, { body })
  }
}
