**/node_modules
**/dist
.git
.data
.env
