import type { Signal } from '@preact/signals';
import { assetOptions, wantAssets } from './assets.ts';
import { Choice } from './choice.tsx';

/** One of the assets, or all; they are asked for when the first such choice is shown. */
export function AssetChoice({ of }: { readonly of: Signal<string> }) {
  wantAssets();
  return <Choice name="Asset" of={of} options={[['', 'All'], ...assetOptions.value]} />;
}
