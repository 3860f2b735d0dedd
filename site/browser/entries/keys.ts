import { startKeys } from '../keys';
import { find } from '../dom';
import { startPage } from '../start';

startPage({ isLive: false });
const keys = find('[data-keys]');
if (keys !== null) startKeys(keys);
