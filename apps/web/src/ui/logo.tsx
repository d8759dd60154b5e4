/** The bird with the longest flight, as a stamp. */
export function Logo({ size = 32 }: { readonly size?: number }) {
  return <img src="/assets/godwit.svg" width={size} height={size} alt="" />
}
