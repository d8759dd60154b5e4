import { useState } from 'react'
import type { ListAddress } from '../../lib/use-list-address.ts'
import { readStoredJson, writeStored } from '../../lib/storage.ts'

export const DENSITIES = ['normal', 'compact'] as const
export type Density = (typeof DENSITIES)[number]

/** What of a list a person chose to see. */
export interface ListView {
  /** Ids of the columns. */
  readonly columns: readonly string[]
  readonly density: Density
}

/** Names in the address: who shares it shares the columns too. */
export const VIEW_NAMES = ['columns', 'density', 'open'] as const

/** A column as the chooser knows it. */
export interface ChosenColumn {
  readonly id: string
  /** Not shown until somebody asks for it. */
  readonly isExtra?: boolean
  /** Always shown: by it a row is known. */
  readonly isFixed?: boolean
}

export function usualView(columns: readonly ChosenColumn[]): ListView {
  return { columns: columns.filter(({ isExtra }) => isExtra !== true).map(({ id }) => id), density: 'normal' }
}

/**
 * The view that the address names, else the one this browser remembers, else the usual one. Columns that the list no longer
 * has are left out, those that are always shown are put back.
 */
export function viewOf(
  address: Readonly<Record<string, string>>,
  stored: unknown,
  columns: readonly ChosenColumn[],
): ListView {
  const kept = storedView(stored)
  const wanted = address['columns']?.split('.') ?? kept.columns
  const density = address['density'] ?? kept.density
  return {
    columns:
      wanted === undefined
        ? usualView(columns).columns
        : columns.filter(({ id, isFixed }) => isFixed === true || wanted.includes(id)).map(({ id }) => id),
    density: DENSITIES.find((each) => each === density) ?? 'normal',
  }
}

function storedView(stored: unknown): { readonly columns?: readonly string[]; readonly density?: string } {
  if (typeof stored !== 'object' || stored === null) return {}
  const { columns, density } = stored as Readonly<Record<string, unknown>>
  return {
    ...(Array.isArray(columns) ? { columns: columns.filter((each) => typeof each === 'string') } : {}),
    ...(typeof density === 'string' ? { density } : {}),
  }
}

export interface ListViewState {
  readonly view: ListView
  /** Undefined: back to the usual one. */
  readonly choose: (view: ListView | undefined) => void
}

/** @param name by which this browser remembers the view */
export function useListView(name: string, columns: readonly ChosenColumn[], address: ListAddress): ListViewState {
  const key = `godwit.console.${name}`
  const [stored, setStored] = useState(() => readStoredJson(key))
  return {
    view: viewOf(address.view, stored, columns),
    choose(view) {
      writeStored(key, view === undefined ? undefined : JSON.stringify(view))
      setStored(view)
      address.showAll({ columns: view?.columns.join('.') ?? '', density: view?.density ?? '' })
    },
  }
}
