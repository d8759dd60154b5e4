/** What details are about. */
export type Subject =
  | {
      readonly kind: 'one'
      readonly path: string
      readonly name: string
      readonly isFolder: boolean
      readonly size: number
      /** Unix seconds; undefined for the folder that is open. */
      readonly time: number | undefined
      /** Another one when it has changed. */
      readonly state: string
    }
  | { readonly kind: 'many'; readonly count: number; readonly bytes: number }
