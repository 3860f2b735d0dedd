import { find } from '../dom';
import { startPortfolio } from '../portfolio/index';
import { startPage } from '../start';

startPage({ isLive: false });
const portfolio = find('[data-portfolio]');
if (portfolio !== null) startPortfolio(portfolio);
